// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/forecast.h"

#include <algorithm>
#include <format>

#include "core/round/best.h"
#include "core/round/history.h"

namespace kernelgen {

namespace {

constexpr int most_fitted_rounds = 60;  ///< the newest; older ones say little of today's kernels

Result<int> chosen_number(const History& history, std::optional<int> number) {
    if (history.rounds.empty()) return fail("no rounds yet: `kernelgen run` makes one");
    if (number) {
        if (find_round(history, *number) != nullptr) return *number;
        return fail(say("there is no round {}; there are 0 to {}", *number, history.rounds.back().number));
    }
    for (auto each = history.rounds.rbegin(); each != history.rounds.rend(); ++each) {
        if (!timed_cases(*each).empty()) return each->number;
    }
    return fail("no round was timed yet: `kernelgen run` makes one");
}

/// The samples of the other rounds on the round's device.
std::vector<TimedSample> samples_of_device(const Project& project, const History& history, const Round& round) {
    std::vector<TimedSample> samples;
    int fitted = 0;
    for (auto each = history.rounds.rbegin(); each != history.rounds.rend() && fitted < most_fitted_rounds; ++each) {
        if (each->device != round.device || each->environment != round.environment || timed_cases(*each).empty())
            continue;
        const Result<RoundDetail> detail = load_round_detail(project.folder, each->number);
        if (!detail) continue;  // its folder may be gone
        if (auto own = timed_samples(*detail)) {
            samples.insert(samples.end(), own->begin(), own->end());
            ++fitted;
        }
    }
    return samples;
}

}  // namespace

Result<ForecastBase> forecast_base(const Project& project, std::optional<int> number) {
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(history.error());
    const Result<int> chosen = chosen_number(*history, number);
    if (!chosen) return std::unexpected(chosen.error());
    Result<RoundDetail> round = load_round_detail(project.folder, *chosen);
    if (!round) return std::unexpected(round.error());
    Result<std::vector<TimedSample>> samples = timed_samples(*round);
    if (!samples) return std::unexpected(samples.error());
    TimeModel model(samples_of_device(project, *history, round->round));
    return ForecastBase{std::move(*round), std::move(*samples), std::move(model), history->warnings};
}

std::optional<Error> factors_problem(const Factors& factors, const RoundDetail& round) {
    const std::string kind = kind_of_device(round.round.device);
    for (const auto& [resource, factor] : factors) {
        if (!has_resource(kind, resource))
            return Error{say("{} are no resource of `{}`: a CPU has --bandwidth and --threads", to_string(resource),
                             round.round.device)};
    }
    return std::nullopt;
}

namespace {

bool changes_residency(const Factors& factors) {
    return std::ranges::any_of(factors, [](const auto& each) { return each.first != Resource::bandwidth; });
}

/// The lowest occupancy with which a round came near the best use of the bandwidth, as a number of warps.
double enough_warps(const ForecastBase& base, const TimedSample& sample, const Residency& residency) {
    constexpr double near_best = 0.95;
    const auto use = [](const TimedSample& each) { return each.memory / each.seconds; };
    double best = 0, lowest = 0;
    for (const TimedSample& each : base.model.all_samples()) best = std::max(best, use(each));
    for (const TimedSample& each : base.model.all_samples()) {
        if (each.occupancy > 0 && use(each) >= near_best * best)
            lowest = lowest == 0 ? each.occupancy : std::min(lowest, each.occupancy);
    }
    return sample.occupancy > 0 ? lowest / sample.occupancy * residency.now : 0;
}

Result<DeviceRatios> gpu_ratios(const ForecastBase& base, const TimedSample& sample, const Factors& factors,
                                const ResidencyOf& residency) {
    if (!changes_residency(factors)) return ratios_of_gpu(factors);
    const Result<Residency> held = residency(base.round, sample.binding.dtype, factors);
    if (!held) return std::unexpected(held.error());
    const LatencyHiding hiding = latency_hiding(base.round, sample.binding, sample.programs, *held);
    return ratios_of_gpu(factors, *held, hiding, enough_warps(base, sample, *held));
}

}  // namespace

Result<std::vector<CasePrediction>> predict_all(const ForecastBase& base, const OtherDevice& other,
                                                const ResidencyOf& residency) {
    const bool is_cpu = runs_on_host(base.round.round.device);
    std::vector<CasePrediction> predictions;
    for (const TimedSample& sample : base.samples) {
        // Of a library or a Python kernel the programs are not known: it may use all threads.
        const int threads =
            sample.at_once > 0 ? static_cast<int>(sample.at_once) : std::max(1, base.round.environment.threads);
        Result<DeviceRatios> ratios = is_cpu ? ratios_of_cpu(base.round.ceilings, other.factors, threads)
                                             : gpu_ratios(base, sample, other.factors, residency);
        if (!ratios) return std::unexpected(ratios.error());
        ratios->arithmetic *= other.arithmetic;
        ratios->at_once *= other.multiprocessors;
        predictions.push_back(predict(base.model, sample, *ratios));
    }
    return predictions;
}

}  // namespace kernelgen

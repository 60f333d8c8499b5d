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
        return fail(std::format("there is no round {}; there are 0 to {}", *number, history.rounds.back().number));
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
    if (factors.empty())
        return Error{"nothing is asked: say what the other device has, such as --bandwidth 0.7 or --threads 0.5"};
    for (const auto& [resource, factor] : factors) {
        if (!has_resource(kind, resource))
            return Error{std::format("{} are no resource of `{}`: a CPU has --bandwidth and --threads", to_string(resource),
                                     round.round.device)};
    }
    return std::nullopt;
}

std::vector<CasePrediction> predict_all(const ForecastBase& base, const Factors& factors) {
    std::vector<CasePrediction> predictions;
    for (const TimedSample& sample : base.samples) {
        const int threads = std::max(1, static_cast<int>(sample.at_once));
        predictions.push_back(
            predict(base.model, sample, ratios_of_cpu(base.round.ceilings, factors, threads)));
    }
    return predictions;
}

}  // namespace kernelgen

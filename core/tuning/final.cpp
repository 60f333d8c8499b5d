// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/final.h"

#include <algorithm>
#include <format>

#include "core/base/tuning_sentences.h"
#include "core/engine/requests.h"
#include "core/tuning/case_space.h"

namespace kernelgen {

namespace {

constexpr double least_gain = 0.01;  ///< a smaller one is noise: intervals are sampled until they are so narrow
constexpr double least_gain_of_energy = 0.03;  ///< it is measured once, for half a second

/// A finalist that passed so far.
struct Finalist {
    Tried tried;
    RunPlan plan;
    VerifyResult verified;
    Speedup speedup;  ///< over the incumbent
    double score = 1, worst_score = 1;
};

void fall(Final& final, Tried tried, Status status, const Said& reason) {
    tried.status = status;
    tried.reason = reason;
    final.fallen.push_back(std::move(tried));
}

std::vector<Finalist> verify_all(const FinalRequest& request, const std::vector<Tried>& tried, Final& final) {
    std::vector<Finalist> right;
    for (const Tried& each : tried) {
        Finalist finalist{each, recommended(request.plan, request.whole, each.configuration), {}, {}};
        finalist.verified = verify_candidate(finalist.plan, request.worker, request.progress, request.stop);
        if (request.stop.stop_requested()) return {};
        if (finalist.verified.status == Status::ok) right.push_back(std::move(finalist));
        else fall(final, each, finalist.verified.status, finalist.verified.reason);
    }
    return right;
}

/// The configuration that finalists must beat: the incumbent. Where that failed, the project's baseline sets the pace,
/// or where that is not right either, the first finalist.
const Implementation& rival_of(const FinalRequest& request, const std::vector<Finalist>& finalists) {
    if (request.incumbent != nullptr) return request.plan.candidate;
    VerifyRequest own_case = verify_request(request.plan, *request.plan.baseline);
    own_case.own_cases_only = true;
    const bool is_right = request.worker.verify(own_case, request.progress, request.stop).status == Status::ok;
    return is_right ? *request.plan.baseline : finalists.front().plan.candidate;
}

/// Times the finalists in turns with the rival; those that fail fall.
std::vector<Finalist> time_all(const FinalRequest& request, std::vector<Finalist> finalists, Final& final) {
    std::vector<Implementation> candidates;
    for (const Finalist& each : finalists) candidates.push_back(each.plan.candidate);
    BenchRequest timing =
        bench_request(request.plan, std::move(candidates), rival_of(request, finalists), request.plan.cases.front());
    timing.counters = false;
    const std::vector<BenchResult> results = request.worker.bench(timing, request.progress, request.stop);
    std::vector<Finalist> timed;
    for (std::size_t i = 0; i < finalists.size() && !request.stop.stop_requested(); ++i) {
        finalists[i].speedup = results[i].speedup;
        if (results[i].status == Status::ok) timed.push_back(std::move(finalists[i]));
        else fall(final, finalists[i].tried, results[i].status, results[i].reason);
    }
    return timed;
}

void rate(const FinalRequest& request, Finalist& finalist) {
    if (request.incumbent == nullptr) {
        finalist.score = 1 / finalist.speedup.median;
        return;
    }
    const double memory_ratio = (finalist.tried.memory_bytes + 1) / (request.incumbent->memory_bytes + 1);
    const double energy_ratio = finalist.tried.energy_ratio;
    finalist.score = request.objective.score({1 / finalist.speedup.median, memory_ratio, energy_ratio});
    finalist.worst_score = request.objective.score({1 / finalist.speedup.lower, memory_ratio, energy_ratio});
}

TuningOutcome nobody(const FinalRequest& request) {
    const bool failed = request.incumbent == nullptr;
    return {.kind = failed ? TuningOutcome::Kind::failed : TuningOutcome::Kind::tie,
            .configuration = request.plan.candidate.configuration,
            .reason = failed ? say(sentences::tuned_nothing_ok, request.failure) : Said(sentences::tuned_no_rival)};
}

/// The best first; there is one at least.
TuningOutcome judge(const FinalRequest& request, const std::vector<Finalist>& finalists) {
    const Finalist& best = finalists.front();
    const bool is_alone = request.incumbent == nullptr;
    const double gain = request.objective.energy > 0 ? least_gain_of_energy : least_gain;
    const bool wins = is_alone || (best.worst_score < 1 && best.score <= 1 - gain);
    TuningOutcome outcome{.kind = wins ? TuningOutcome::Kind::winner : TuningOutcome::Kind::tie,
                          .configuration = wins ? best.tried.configuration : request.plan.candidate.configuration,
                          .reason = sentences::tuned_without_incumbent};
    if (wins && finalists.size() > 1) outcome.runner_up = finalists[1].tried.configuration;
    if (!wins) outcome.runner_up = best.tried.configuration;
    if (is_alone) return outcome;
    const Speedup& speedup = best.speedup;
    outcome.speedup = speedup.median;
    outcome.lower = speedup.lower;
    outcome.upper = speedup.upper;
    const bool is_too_wide = !wins && speedup.lower < 1 && speedup.upper * (1 - gain) >= 1;
    outcome.is_decided = !is_too_wide;
    outcome.reason = is_too_wide
                         ? say(sentences::tuned_too_wide, speedup.median, speedup.lower, speedup.upper, speedup.pairs)
                         : say(sentences::tuned_in_pairs, speedup.median, speedup.lower, speedup.upper, speedup.pairs);
    return outcome;
}

}  // namespace

TuningOutcome undecided(const FinalRequest& request, Said reason) {
    return {.kind = request.failure.empty() ? TuningOutcome::Kind::tie : TuningOutcome::Kind::failed,
            .is_decided = !request.failure.empty(),
            .configuration = request.plan.candidate.configuration,
            .reason = std::move(reason)};
}

Final decide(const FinalRequest& request, const std::vector<Tried>& tried) {
    Final final;
    std::vector<Finalist> finalists = verify_all(request, tried, final);
    if (!finalists.empty()) finalists = time_all(request, std::move(finalists), final);
    if (request.stop.stop_requested()) {
        final.outcome = undecided(request, sentences::tuned_without_time);
        return final;
    }
    for (Finalist& each : finalists) rate(request, each);
    std::ranges::sort(finalists, {}, &Finalist::score);
    final.outcome = finalists.empty() ? nobody(request) : judge(request, finalists);
    if (final.outcome.kind == TuningOutcome::Kind::winner) final.verified = std::move(finalists.front().verified);
    return final;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>

#include "core/engine/device_numbers.h"
#include "core/optimize/engine.h"

namespace kernelgen {

RoundDetail WorkerEngine::run(const RunPlan& plan) { return run_round(plan, worker_, progress_, stop_); }

RunPlan WorkerEngine::with_numbers(RunPlan plan) {
    return with_device_numbers(with_ceilings(std::move(plan), worker_, progress_, stop_), worker_, stop_);
}

Result<std::vector<Tuning>> WorkerEngine::search(const RunPlan& plan, double seconds) {
    TunePlan asked{.run = plan, .options = {}, .resumed = {}, .history = {}};
    asked.options.run = plan.options;
    asked.budget_seconds = seconds;
    asked.options.keeps_winner = false;
    asked.options.records_rounds = false;
    asked.options.oldest_learnt = oldest_learnt_;
    if (const auto nothing = nothing_to_tune(asked, worker_, stop_)) return std::unexpected(*nothing);
    const TuneProgress progress = [&](const TuneState& state) {
        progress_(std::format("tuning {}: {}", state.case_name, state.stage), state.tried,
                  static_cast<int>(std::min<std::uint64_t>(state.tried + state.left, 1'000'000)));
    };
    Result<std::vector<CaseTuning>> done = tune(asked, worker_, progress, stop_);
    if (!done) return std::unexpected(done.error());
    std::vector<Tuning> tunings;
    for (CaseTuning& each : *done) {
        if (!each.tuning.outcome) return fail("the tuning was stopped");
        if (each.tuning.outcome->kind == TuningOutcome::Kind::failed)
            return fail(say("tuning {}: {}", each.tuning.head.number, each.tuning.outcome->reason));
        tunings.push_back(std::move(each.tuning));
    }
    return tunings;
}

}  // namespace kernelgen

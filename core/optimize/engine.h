// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/engine/run.h"
#include "core/tune/tuning.h"
#include "core/tuning/tune.h"

namespace kernelgen {

/// What an optimization needs done on a device.
class OptimizeEngine {
public:
    virtual ~OptimizeEngine() = default;
    /// Verifies, and times what is right.
    virtual RoundDetail run(const RunPlan& plan) = 0;
    /// Tunes the plan's candidate on each of its cases for about so many seconds together, without recording rounds.
    /// Errors: nothing to tune; a tuning that did not end.
    virtual Result<std::vector<Tuning>> search(const RunPlan& plan, double seconds) = 0;
    /// The plan with the device's numbers. Ceilings that nobody has measured are measured now, which takes more than a
    /// minute on a GPU; the time of an optimization begins afterwards.
    virtual RunPlan with_numbers(RunPlan plan) = 0;
};

/// The engine on a worker. Both must outlive it.
class WorkerEngine final : public OptimizeEngine {
public:
    /// `oldest_learnt`: as of TuneOptions.
    WorkerEngine(WorkerClient& worker, const Progress& progress, std::optional<int> oldest_learnt, std::stop_token stop)
        : worker_(worker), progress_(progress), oldest_learnt_(oldest_learnt), stop_(std::move(stop)) {}

    RoundDetail run(const RunPlan& plan) override;
    Result<std::vector<Tuning>> search(const RunPlan& plan, double seconds) override;
    RunPlan with_numbers(RunPlan plan) override;

private:
    WorkerClient& worker_;
    const Progress& progress_;
    std::optional<int> oldest_learnt_;
    std::stop_token stop_;
};

}  // namespace kernelgen

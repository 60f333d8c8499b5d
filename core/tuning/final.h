// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/engine/run.h"
#include "core/tune/objective.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// How a final ended.
struct Final {
    TuningOutcome outcome;      ///< without counts and round
    std::vector<Tried> fallen;  ///< finalists that did not pass the whole verification or timing, with their status
    std::optional<VerifyResult> verified;  ///< of the configuration that the outcome recommends
};

/// What a final needs; all must outlive it.
struct FinalRequest {
    const RunPlan& plan;          ///< with one case, and the incumbent as candidate
    const Implementation& whole;  ///< the variant with its rules by case
    const Tried* incumbent;       ///< which has passed the whole verification; null where it failed
    Said failure;                 ///< where the incumbent failed: its status and the reason; else ""
    const Objective& objective;
    WorkerClient& worker;
    const Progress& progress;
    std::stop_token stop;  ///< also where the time is over
};

/// The outcome where there was no time to decide, for that reason: the incumbent stays unless it failed.
TuningOutcome undecided(const FinalRequest& request, Said reason);

/// Verifies the finalists in full, and times those that pass in one rotation with the incumbent as the baseline, with
/// all checks of a run's timing. The best of them wins where it is better than the incumbent in pairs: the whole
/// interval of its objective is better, and the gain is above the noise. Otherwise it is a tie, and the incumbent
/// stays. Without an incumbent the fastest that passes wins. Where a stop is requested, nothing is decided.
Final decide(const FinalRequest& request, const std::vector<Tried>& finalists);

}  // namespace kernelgen

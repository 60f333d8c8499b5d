// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/tune/tuning_file.h"
#include "core/tuning/time_budget.h"
#include "core/tuning/tune.h"
#include "core/tuning/worker_pool.h"

namespace kernelgen {

/// What tuning one case needs; all must outlive it.
struct CaseJob {
    const RunPlan& plan;  ///< with one case and the device's numbers; its candidate is the incumbent
    const TunePlan& command;
    const TimeBudget& time;  ///< of this case; its `cut` ends all calls of workers
    /// Seconds that the search leaves for the final, where an earlier final had too little time; 0: nothing is known.
    double final_seconds = 0;
    TuningFile& file;
    WorkerPool& pool;
    const TuneProgress& progress;
    std::stop_token stop;  ///< the user's
};

}  // namespace kernelgen

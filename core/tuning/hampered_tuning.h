// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/bench/hampered.h"
#include "core/tuning/tune.h"

namespace kernelgen {

/// What is taken from this machine's CPU while a kernel is tuned.
struct TakenFromCpu {
    int threads = 0;         ///< that are left; 0: all
    NeighbourUse neighbour;  ///< as a timing had to adjust it
};

/// Tunes the plan's only case on a worker of its own whose CPU is hampered, and records nothing in the project.
/// `worker`: the command that starts one on this machine. Errors: those of `tune`, and a worker that does not start.
Result<Tuning> tune_hampered(TunePlan plan, const TakenFromCpu& taken, const std::vector<std::string>& worker,
                             const TuneProgress& progress, std::stop_token stop);

}  // namespace kernelgen

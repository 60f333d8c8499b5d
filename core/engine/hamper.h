// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>

#include "core/bench/hampered.h"
#include "core/engine/run.h"
#include "core/whatif/resource.h"

namespace kernelgen {

/// Why this kernel cannot be timed with these factors for real, and what is missing. Nothing where it can.
std::optional<Error> hampering_problem(const RunPlan& plan, const Factors& factors);

/// The kernel as it runs on a CPU with so many threads.
Implementation with_threads(Implementation implementation, int threads);
/// The kernel, each of whose blocks has so many more bytes of dynamic shared memory, which it does not use: a GPU's
/// multiprocessor then holds fewer of them.
Implementation with_more_shared(Implementation implementation, std::int64_t bytes);

/// Times the plan's candidate, which was verified by this worker on the plan's cases, on the hampered device in pairs
/// with the same on the whole one. `threads`: of the whole CPU. `others`: further kernels that are timed on the
/// hampered one. Of a GPU only bandwidth can be taken so.
HamperResult time_hampered(const RunPlan& plan, const Factors& factors, const Case& binding,
                           const std::vector<Implementation>& others, int threads, WorkerClient& worker,
                           const Progress& progress, std::stop_token stop);

/// The same on a whole GPU, which holds fewer blocks of the candidate (with_more_shared).
HamperResult time_held_back(const RunPlan& plan, std::int64_t more_shared_bytes, const Case& binding,
                            WorkerClient& worker, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/context.h"
#include "core/base/result.h"
#include "core/tuning/worker_pool.h"

namespace kernelgen::cli {

/// The workers of a tuning: those of `--worker`, and of `--workers`, which is "" or "slurm:N"; where there are none,
/// this program. Errors: another `--workers`; no `srun` here.
Validated<std::vector<WorkerSource>> worker_sources(const Context& context, const std::string& workers);

}  // namespace kernelgen::cli

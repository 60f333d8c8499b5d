// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/context.h"
#include "core/tuning/tune.h"
#include "core/tuning/worker_pool.h"

namespace kernelgen::cli {

/// `kernelgen tune --list-pruned`: prints the configurations that the plan's tuning would never try, each with its
/// reason. The worker tells the device's numbers, and builds nothing. Returns the exit status.
int list_pruned_command(const TunePlan& plan, const TuningWorker& worker, const Context& context, std::stop_token stop);

}  // namespace kernelgen::cli

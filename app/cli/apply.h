// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/context.h"
#include "core/project/project.h"

namespace kernelgen::cli {

/// `run --apply STRATEGY`.
struct ApplyOptions {
    std::string strategy;  ///< its id, or the whole key that `optimize --dry-run` prints
    bool dry_run = false;  ///< shows the difference and what is expected, and runs nothing
    bool require_target = false;
};

/// Makes the next round of the chosen variant with a strategy, records it and prints it. Returns the exit status.
int apply_strategy(const Project& project, const RunOptions& run, const ApplyOptions& options, Context& context);

}  // namespace kernelgen::cli

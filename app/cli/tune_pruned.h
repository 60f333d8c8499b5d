// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/context.h"
#include "core/tuning/pruned_list.h"

namespace kernelgen::cli {

/// Reports options of `kernelgen tune` that mean nothing where what is pruned is only listed.
Diagnostics needless_for_pruned(const std::vector<std::string>& given);

/// The `cases` of `kernelgen tune --list-pruned --json`, and the same as text.
nlohmann::ordered_json pruned_document(const std::vector<PrunedCase>& pruned, const RunPlan& plan);
void print_pruned_cases(std::ostream& out, const std::vector<PrunedCase>& pruned, const RunPlan& plan);

/// `kernelgen tune --list-pruned`: prints the configurations that the plan's tuning would never try, each with its
/// reason. The worker tells the device's numbers, and builds nothing. Returns the exit status.
int list_pruned_command(const TunePlan& plan, const TuningWorker& worker, const Context& context, std::stop_token stop);

}  // namespace kernelgen::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "core/tuning/tune.h"

namespace kernelgen::cli {

/// Where a tuning stands, on one line.
std::string line_of(const TuneState& state);

/// What came of one case, as text and as `tune --json` has it.
void print_tuning(std::ostream& out, const CaseTuning& done, const Project& project);
nlohmann::ordered_json tuning_document(const CaseTuning& done);

}  // namespace kernelgen::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>

#include "core/project/project.h"

namespace kernelgen::cli {

/// The JSON document of `info --json`: the definition, and each case with what follows from it and each variant's
/// grids.
nlohmann::ordered_json info_document(const Project& project);

/// The same as text, with each variant's tunables and rules.
void print_info(std::ostream& out, const Project& project, const nlohmann::ordered_json& document);

}  // namespace kernelgen::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// Runs one of the programs in resources/python that read a JSON document on stdin and write one to stdout. Errors,
/// with what to do: there is no interpreter, or it is too old.
Result<nlohmann::json> run_inspection(const std::string& program, const nlohmann::json& request);

}  // namespace kernelgen

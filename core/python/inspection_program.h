// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// Runs one of resources/python's programs that read a JSON document on stdin and write one to stdout. Errors: no
/// interpreter, one that is too old, with what to do.
Result<nlohmann::json> run_inspection(const std::string& program, const nlohmann::json& request);

}  // namespace kernelgen

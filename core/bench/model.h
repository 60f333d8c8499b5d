// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "core/base/said.h"
#include "core/project/project.h"

namespace kernelgen {

/// Neighbouring calls of a model's operators, by their numbers.
struct CallRange {
    int first = 0, last = 0;
};

/// Asks for what a model's calls of operators take; with `part`, for a definition of these calls instead.
struct ModelRequest {
    Implementation definition;  ///< the file with the model, as of family `callable`
    Case binding;
    std::string device = "cpu";
    double timeout_seconds = 600;  ///< for everything
    std::optional<CallRange> part;
};

/// What the model's process reported. It is not checked, so no verdict and no speedup is computed from it.
struct ModelAnswer {
    Status status = Status::ok;
    Said reason;
    nlohmann::json told;  ///< a profile (core/measure/model_profile.h), or {"text", "name", "cases"} of a part
};

/// Executes the model in a process that runs no other code. Times are taken under the device's lock.
ModelAnswer ask_model(const ModelRequest& request, Backend& backend, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen

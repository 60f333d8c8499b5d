// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/backend/executor.h"

namespace kernelgen {

/// Requests for timed calls as they travel between the worker and an executor. executor_replies.h reads the answers.

nlohmann::json to_json(const SampleRequest& request);
/// Reads such a request in the executor. Throws where it is invalid, since the worker sends only valid ones.
SampleRequest sample_request_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Patch& patch);
Patch patch_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Samples& samples);

}  // namespace kernelgen

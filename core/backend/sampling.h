// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/backend/executor.h"

namespace kernelgen {

/// Timed calls as they travel between the worker and an executor; what an executor answers is read with care in
/// executor_replies.h.

nlohmann::json to_json(const SampleRequest& request);
/// What an executor reads; throws where it is none, for the worker sends what it must.
SampleRequest sample_request_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Patch& patch);
Patch patch_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Samples& samples);

}  // namespace kernelgen

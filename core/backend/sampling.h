// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/backend/executor.h"

namespace kernelgen {

/// The request for timed calls and its answer, as they travel between the worker and an executor.

nlohmann::json to_json(const SampleRequest& request);
/// What an executor reads; throws where it is none, for the worker sends what it must.
SampleRequest sample_request_from_json(const nlohmann::json& json);
Patch patch_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Samples& samples);
/// Reads an answer, which a kernel may have forged: every side has one time a turn, finite and above 0, and where
/// checksums were asked for one a call and set. Errors: what is missing or not so.
Result<Samples> samples_from_json(const nlohmann::json& json, const SampleRequest& request);

}  // namespace kernelgen

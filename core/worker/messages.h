// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/backend/build.h"
#include "core/base/result.h"
#include "core/bench/bench.h"
#include "core/bench/hampered.h"
#include "core/bench/model.h"
#include "core/bench/race.h"
#include "core/explain/explain.h"
#include "core/verify/verify.h"

namespace kernelgen {

/// The version of the worker's protocol, which is sent in its greeting. Raise it when an older client or worker would
/// misread a message.
inline constexpr int worker_protocol_version = 1;

/// Requests in JSON: definitions, variants and cases have the schema of project.json, and sources are included. A
/// request is validated as a project is, since it may have been written by hand.
nlohmann::json to_json(const BuildRequest& request);
nlohmann::json to_json(const VerifyRequest& request);
nlohmann::json to_json(const ExplainRequest& request);
nlohmann::json to_json(const BenchRequest& request);
nlohmann::json to_json(const RaceRequest& request);
nlohmann::json to_json(const HamperRequest& request);
nlohmann::json to_json(const ModelRequest& request);
Validated<BuildRequest> build_request_from_json(const nlohmann::json& json);
Validated<VerifyRequest> verify_request_from_json(const nlohmann::json& json);
Validated<ExplainRequest> explain_request_from_json(const nlohmann::json& json);
Validated<BenchRequest> bench_request_from_json(const nlohmann::json& json);
Validated<RaceRequest> race_request_from_json(const nlohmann::json& json);
Validated<HamperRequest> hamper_request_from_json(const nlohmann::json& json);
Validated<ModelRequest> model_request_from_json(const nlohmann::json& json);

}  // namespace kernelgen

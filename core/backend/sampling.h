// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/executor.h"

namespace kernelgen {

/// Requests for timed calls as they travel between the worker and an executor. executor_replies.h reads the answers.

/// Numbers as text of 16 hexadecimal digits each: a request has thousands, and to write and read them as JSON's numbers
/// would take a time that a kernel could hide in.
std::string pack(std::span<const std::uint64_t> numbers);
/// The reverse; nothing where the text is no such numbers.
std::optional<std::vector<std::uint64_t>> unpack(std::string_view text);

nlohmann::json to_json(const SampleRequest& request);
/// Reads such a request in the executor. Throws where it is invalid, since the worker sends only valid ones.
SampleRequest sample_request_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Patch& patch);
Patch patch_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Samples& samples);

}  // namespace kernelgen

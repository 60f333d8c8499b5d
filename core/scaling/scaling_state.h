// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/scaling/delayed_scaling.h"

namespace kernelgen {

/// The histories of tensors by their names, kept from one call to the next.
using ScalingState = std::map<std::string, AmaxHistory>;

/// The version of the file's schema: raised when an older program would read a file wrongly.
inline constexpr int scaling_state_version = 1;

std::string format_scaling_state(const ScalingState& state);
/// Errors: all that is wrong with the text: no JSON, another version, unknown keys, numbers out of range.
Validated<ScalingState> parse_scaling_state(std::string_view text, std::string_view file);

/// A missing file is an empty state. Errors: as `parse_scaling_state`, and a file that cannot be read.
Validated<ScalingState> read_scaling_state(const std::filesystem::path& file);
/// Replaces the file atomically.
Result<void> write_scaling_state(const std::filesystem::path& file, const ScalingState& state);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// The amax that was seen in one step.
struct AmaxStep {
    std::int64_t step = 0;
    double amax = 0;
    std::vector<double> channels;  ///< of each channel; empty where only that of the tensor was recorded
};

/// What was recorded of one tensor or layer.
struct RecordedTensor {
    std::string name;
    std::vector<AmaxStep> steps;           ///< by ascending step
    std::optional<double> relative_error;  ///< of the layer, as a share
};

/// Records as JSON lines or CSV (docs/SCALING.md), the tensors in the order in which they come first. Errors: all that
/// is wrong with the text, each with its line.
Validated<std::vector<RecordedTensor>> parse_amax_records(std::string_view text, std::string_view file);
/// Errors: as `parse_amax_records`, and a file that cannot be read or is larger than 256 MiB.
Validated<std::vector<RecordedTensor>> read_amax_records(const std::filesystem::path& file);

}  // namespace kernelgen

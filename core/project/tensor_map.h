// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/dtype.h"

namespace kernelgen {

/// A launch argument by which a CUDA kernel's bulk copies find the boxes of an input or output: a CUtensorMap.
struct TensorMap {
    std::string tensor;
    std::vector<std::string> box;  ///< integer expressions: elements along each axis, outermost first
    int swizzle = 0;               ///< bytes of a row of the box in shared memory: 0, 32, 64 or 128

    bool operator==(const TensorMap&) const = default;
};

/// What stands among a launch's `args` for its tensor map `index`: no name of a tensor, since it has a blank.
std::string tensor_map_argument(std::size_t index);
/// The index that such a text has.
std::optional<std::size_t> tensor_map_index(std::string_view argument);

/// A tensor map for one case. The tensor's axes before those that the box has are one with the box's first.
struct PlannedTensorMap {
    bool is_output = false;
    int index = 0;  ///< of the operator's inputs or outputs
    DType dtype = DType::f32;
    std::vector<std::int64_t> extents;  ///< outermost first; elements lie one after the other
    std::vector<std::int64_t> box;
    int swizzle = 0;

    bool operator==(const PlannedTensorMap&) const = default;
};

/// Whether the copy engine can have such a map, by the conditions of CUDA's cuTensorMapEncodeTiled: among them that
/// rows of the tensor and of the box are multiples of 16 bytes, and that coordinates fit in 32 bits. Otherwise the
/// kernel gets a map of zeros, by which it knows that it has to read in another way.
bool can_be_mapped(const PlannedTensorMap& map);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/project/tensor_map.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// A CUtensorMap.
struct alignas(128) EncodedTensorMap {
    std::array<std::uint64_t, 16> words{};
};

/// The map of a tensor at this address. All zeros where the copy engine cannot have it (`can_be_mapped`), where the
/// address is no multiple of 16, or where the device has no such engine.
EncodedTensorMap encode(const Driver& driver, const PlannedTensorMap& map, Pointer address);

}  // namespace kernelgen::cuda

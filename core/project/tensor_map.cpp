// SPDX-License-Identifier: Apache-2.0
#include "core/project/tensor_map.h"

#include <algorithm>
#include <charconv>

namespace kernelgen {
namespace {

constexpr std::string_view argument_prefix = "tensor_map ";

// CUDA driver API, cuTensorMapEncodeTiled; it allows extents of 2^32, but a copy's coordinates are of 32 bits with a
// sign, and those of a box that begins within the tensor must not overflow.
constexpr std::int64_t most_extent = (std::int64_t{1} << 31) - 1024, most_stride = std::int64_t{1} << 40;
constexpr std::int64_t most_of_box = 256, unit = 16;

}  // namespace

std::string tensor_map_argument(std::size_t index) { return std::string(argument_prefix) + std::to_string(index); }

std::optional<std::size_t> tensor_map_index(std::string_view argument) {
    if (!argument.starts_with(argument_prefix)) return std::nullopt;
    argument.remove_prefix(argument_prefix.size());
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), index);
    if (error != std::errc() || end != argument.data() + argument.size()) return std::nullopt;
    return index;
}

bool can_be_mapped(const PlannedTensorMap& map) {
    const auto bytes = static_cast<std::int64_t>(size_of(map.dtype));
    const std::int64_t row = map.box.back() * bytes;
    if (row % unit != 0 || (map.swizzle > 0 && row > map.swizzle)) return false;
    if (std::ranges::any_of(map.box, [](std::int64_t size) { return size > most_of_box; })) return false;
    if (std::ranges::any_of(map.extents, [](std::int64_t size) { return size > most_extent; })) return false;
    std::int64_t stride = bytes;
    for (std::size_t axis = map.extents.size(); axis-- > 1;) {
        if (__builtin_mul_overflow(stride, map.extents[axis], &stride) || stride >= most_stride) return false;
        if (stride % unit != 0) return false;
    }
    return true;
}

}  // namespace kernelgen

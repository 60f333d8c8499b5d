// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "core/tensor/dtype.h"

namespace kernelgen {

/// An output's elements in memory.
struct StoredValues {
    DType dtype = DType::f32;
    const std::byte* data = nullptr;
};

/// Calls `visit` with every element's number and its values in all of `sources`.
template <class Visit, class... Source>
void for_each_element(std::size_t elements, const Visit& visit, Source... sources) {
    constexpr std::size_t block = 4096;
    std::array<std::vector<double>, sizeof...(sources)> values;
    for (std::size_t first = 0; first < elements; first += block) {
        const std::size_t count = std::min(block, elements - first);
        std::size_t next = 0;
        const auto decode_next = [&](StoredValues source) {
            values[next].resize(count);
            decode(source.dtype, source.data + first * size_of(source.dtype), std::span(values[next++]));
        };
        (decode_next(sources), ...);
        for (std::size_t i = 0; i < count; ++i) {
            std::apply([&](const auto&... each) { visit(first + i, each[i]...); }, values);
        }
    }
}

}  // namespace kernelgen

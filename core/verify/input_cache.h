// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/verify/judge.h"

namespace kernelgen {

/// The parts of a case's inputs that a thread used last. So two evaluators that pass over the same row make its inputs
/// only once. Holds whole rows of up to 2^17 columns, and at most 1 MiB for each input.
class InputCache {
public:
    InputCache(const Elements& elements, std::vector<std::int64_t> element_counts)
        : elements_(elements), counts_(std::move(element_counts)), chunks_(counts_.size() * slots) {}

    /// Copies elements [first, first + values.size()) of `input`.
    template <class T>
    void read(int input, std::int64_t first, std::span<T> values) {
        while (!values.empty()) {
            const std::span<const double> found = from(input, first);
            const std::size_t count = std::min(found.size(), values.size());
            std::ranges::transform(found.first(count), values.begin(), [](double x) { return static_cast<T>(x); });
            values = values.subspan(count);
            first += static_cast<std::int64_t>(count);
        }
    }

private:
    static constexpr std::int64_t chunk_elements = 16384;
    static constexpr std::int64_t slots = 8;
    struct Chunk {
        std::int64_t number = -1;
        std::vector<double> values;
    };

    /// The values from element `first` to the end of its chunk.
    std::span<const double> from(int input, std::int64_t first) {
        const std::int64_t number = first / chunk_elements;
        Chunk& chunk = chunks_[static_cast<std::size_t>(input * slots + number % slots)];
        if (chunk.number != number) {
            const std::int64_t begin = number * chunk_elements;
            chunk.number = number;
            chunk.values.resize(static_cast<std::size_t>(std::min(chunk_elements, counts_[input] - begin)));
            elements_(input, begin, chunk.values);
        }
        return std::span(chunk.values).subspan(static_cast<std::size_t>(first % chunk_elements));
    }

    const Elements& elements_;
    std::vector<std::int64_t> counts_;
    std::vector<Chunk> chunks_;
};

/// The number of elements of each tensor that a body reads: of the inputs, and of what is computed before.
std::vector<std::int64_t> read_counts(const Operator& definition, const Body& body, const Sizes& sizes);

/// The number of elements of each tensor of a case; `make_call` or `space_of` must have accepted the case.
std::vector<std::int64_t> element_counts(const std::vector<Tensor>& tensors, const Sizes& sizes);

}  // namespace kernelgen

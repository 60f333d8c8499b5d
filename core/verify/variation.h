// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/verify/judge.h"

namespace kernelgen {

/// Elements [first, first + count) of an input, and the set from which other values for them come.
struct InputSpan {
    int input = 0;
    std::int64_t first = 0, count = 0;
    InputSet set = InputSet::normal;

    bool operator==(const InputSpan&) const = default;
};

/// Spans of a check's inputs whose elements are made from another seed. The spans of one input do not overlap.
struct Variation {
    std::uint64_t seed = 0;
    std::vector<InputSpan> spans;

    bool operator==(const Variation&) const = default;
};

/// In `spans` the elements of `other` of the span's set, and those of `base` elsewhere.
Elements with_spans(Elements base, const std::function<Elements(InputSet)>& other, std::vector<InputSpan> spans);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/verify/buffers.h"

namespace kernelgen {

/// Keeps the inputs that were made last, so that making them again is a copy. For one thread.
class KeptInputs {
public:
    /// As `fill_inputs`. Keeps them where they take at most 1 GiB, and an eighth of the memory that is free.
    void fill(const Call& call, const Layout& layout, std::byte* arena, InputSet set, std::uint64_t seed);
    void clear() { *this = {}; }

private:
    /// What an input is made of.
    struct Made {
        DType dtype;
        std::size_t bytes;
        std::optional<Domain> domain;

        bool operator==(const Made&) const = default;
    };

    std::vector<Made> made_;
    InputSet set_ = InputSet::normal;
    std::uint64_t seed_ = 0;
    std::vector<std::unique_ptr<std::byte[]>> contents_;
};

}  // namespace kernelgen

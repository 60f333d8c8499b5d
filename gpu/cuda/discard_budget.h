// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kernelgen::cuda {

/// How many of the pairs that are asked for may be taken again: at most a quarter, over all batches.
class DiscardBudget {
public:
    void expect(std::size_t pairs) { expected_ += pairs; }

    /// Whether one more may be discarded, which then counts.
    bool take() {
        if (4 * (discarded_ + 1) > expected_) return false;
        ++discarded_;
        return true;
    }

private:
    std::size_t expected_ = 0, discarded_ = 0;
};

}  // namespace kernelgen::cuda

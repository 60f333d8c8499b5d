// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kernelgen::cuda {

/// Limits how many turns may be repeated: at most a quarter of all requested ones, over all batches.
class DiscardBudget {
public:
    void expect(std::size_t pairs) { expected_ += pairs; }

    /// Whether one more turn may be discarded; if so, counts it.
    bool take() {
        if (4 * (discarded_ + 1) > expected_) return false;
        ++discarded_;
        return true;
    }

private:
    std::size_t expected_ = 0, discarded_ = 0;
};

}  // namespace kernelgen::cuda

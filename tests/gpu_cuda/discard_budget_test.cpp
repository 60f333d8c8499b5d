// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/discard_budget.h"

#include <gtest/gtest.h>

namespace kernelgen::cuda {
namespace {

/// How many readings are discarded in `batches` batches of `pairs` pairs where every reading is bad.
int discarded(int batches, std::size_t pairs) {
    DiscardBudget budget;
    int count = 0;
    for (int i = 0; i < batches; ++i) {
        budget.expect(pairs);
        while (budget.take()) ++count;
    }
    return count;
}

TEST(DiscardBudget, IsAQuarterOfAllPairsWhateverTheBatches) {
    EXPECT_EQ(discarded(1, 40), 10);
    EXPECT_EQ(discarded(40, 1), 10);
    EXPECT_EQ(discarded(20, 2), 10);
    EXPECT_EQ(discarded(3, 1), 0);
    EXPECT_EQ(discarded(0, 1), 0);
}

}  // namespace
}  // namespace kernelgen::cuda

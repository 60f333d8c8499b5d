// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "core/backend/arena.h"

namespace kernelgen {
namespace {

TEST(ALayout, OfTensorsThatAddUpBeyondAllAddressesIsNotSmall) {
    constexpr std::size_t most = (std::size_t{1} << 63) - 4;
    EXPECT_GE(lay_out(std::array{most}, std::array{most}, {}).total, std::size_t{1} << 62);
}

}  // namespace
}  // namespace kernelgen

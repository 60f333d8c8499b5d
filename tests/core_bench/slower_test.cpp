// SPDX-License-Identifier: Apache-2.0
#include "core/bench/slower.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

/// So many times of a millisecond, and so many of two.
std::vector<double> times(int quick, int slow) {
    std::vector<double> made(static_cast<std::size_t>(quick), 1e-3);
    made.insert(made.end(), static_cast<std::size_t>(slow), 2e-3);
    return made;
}

TEST(TimesAreLonger, ByTheQuartileWhereAThirdOfTheOthersIsShorter) {
    EXPECT_DOUBLE_EQ(seconds_longer(times(0, 60), times(20, 40)), 1e-3);
    EXPECT_EQ(is_slower(times(0, 60), times(20, 40), 5e-4), Slower::yes);
}

TEST(TimesAreLonger, ByTheMedianWhereAThirdOfThemIsAsShort) {
    EXPECT_DOUBLE_EQ(seconds_longer(times(20, 40), times(60, 0)), 1e-3);
    EXPECT_EQ(is_slower(times(20, 40), times(60, 0), 5e-4), Slower::yes);
}

TEST(TimesAreLonger, ByNothingWhereOnlyAFewAre) {
    EXPECT_LE(seconds_longer(times(50, 10), times(55, 5)), 0);
    EXPECT_EQ(is_slower(times(50, 10), times(55, 5), 5e-4), Slower::no);
}

}  // namespace
}  // namespace kernelgen

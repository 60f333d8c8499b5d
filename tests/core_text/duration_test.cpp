// SPDX-License-Identifier: Apache-2.0
#include "core/base/duration.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

TEST(Duration, IsSecondsUnlessAUnitIsNamed) {
    EXPECT_EQ(parse_duration("90"), 90.0);
    EXPECT_EQ(parse_duration("1.5s"), 1.5);
    EXPECT_EQ(parse_duration("5m"), 300.0);
    EXPECT_EQ(parse_duration(" 2h "), 7200.0);
    EXPECT_EQ(parse_duration("8784h"), 366.0 * 24 * 3600);
}

TEST(Duration, IsNothingWhereTheTextIsNoTime) {
    for (const char* text : {"", "s", "soon", "1d", "1 day", "1ms", "5mm", "inf", "nan", "1e308h", "1e300h", "8785h"})
        EXPECT_FALSE(parse_duration(text)) << text;
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/base/lines.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

TEST(Lines, AreNotReadOfADeviceThatHasNoEnd) {
    const Result<void> read = for_each_line("/dev/zero", [](std::string_view) {});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "cannot read /dev/zero: it is not a regular file");
}

TEST(Lines, AreNoneWhereThereIsNoFile) {
    EXPECT_TRUE(for_each_line("/nowhere/at/all", [](std::string_view) { FAIL(); }));
}

}  // namespace
}  // namespace kernelgen

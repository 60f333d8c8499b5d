// SPDX-License-Identifier: Apache-2.0
#include "core/tune/python_integers.h"

#include <gmock/gmock.h>

#include <string>

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::int64_t> values(std::string_view text) {
    const auto read = python_integers(text);
    EXPECT_TRUE(read) << text << ": " << (read ? "" : read.error().message.text());
    return read.value_or(std::vector<std::int64_t>{});
}

std::string error(std::string_view text) {
    const auto read = python_integers(text);
    return read ? "none" : read.error().message.text();
}

TEST(PythonIntegers, AreListsOfExpressions) {
    EXPECT_THAT(values("[1, 2 * 3, max(4, 5),]"), ElementsAre(1, 6, 5));
    EXPECT_THAT(values("(1, 2*2,)"), ElementsAre(1, 4));
    EXPECT_THAT(values("[True, False]"), ElementsAre(1, 0));
    EXPECT_THAT(values("[2**5]"), ElementsAre(32));
    EXPECT_THAT(values("[]"), IsEmpty());
}

TEST(PythonIntegers, AreRanges) {
    EXPECT_THAT(values("range(3)"), ElementsAre(0, 1, 2));
    EXPECT_THAT(values("list(range(32, 96 + 1, 32))"), ElementsAre(32, 64, 96));
    EXPECT_THAT(values("list(range(3, 0, -1))"), ElementsAre(3, 2, 1));
    EXPECT_THAT(values("range(5, 5)"), IsEmpty());
    EXPECT_THAT(values("range(9223372036854775806, 9223372036854775807, 2)"), SizeIs(1));
}

TEST(PythonIntegers, AreComprehensions) {
    EXPECT_THAT(values("[i for i in range(3,9,2)]"), ElementsAre(3, 5, 7));
    EXPECT_THAT(values("[2**i for i in range(5) if i != 1]"), ElementsAre(1, 4, 8, 16));
    EXPECT_THAT(values("[32*index for index in [1, 2]]"), ElementsAre(32, 64));
}

TEST(PythonIntegers, AreJoinedLists) {
    EXPECT_THAT(values("[16] + list(range(32, 97, 32))"), ElementsAre(16, 32, 64, 96));
    EXPECT_THAT(values("[1] + [i * 2 for i in (1, 2)] + [9]"), ElementsAre(1, 2, 4, 9));
}

TEST(PythonIntegers, HaveErrorsThatNameWhatIsWrong) {
    EXPECT_THAT(error("['SoA', 'AoS']"), HasSubstr("is not an integer"));
    EXPECT_THAT(error("[0.5]"), HasSubstr("`0.5` is not an integer"));
    EXPECT_THAT(error("[j for i in range(3)]"), HasSubstr("`j` is not an integer"));
    EXPECT_THAT(error("range(1, 5, 0)"), HasSubstr("step"));
    EXPECT_THAT(error("range(1, 2, 3, 4)"), HasSubstr("three arguments"));
    EXPECT_THAT(error("range(100000)"), HasSubstr("65,536"));
    EXPECT_THAT(error("[i for i]"), HasSubstr("has no `in`"));
    EXPECT_THAT(error(std::string(50, '(') + "range(3)" + std::string(50, ')')), HasSubstr("range"));
    EXPECT_NE(error("list(" + std::string(40, '[') + std::string(40, ']')), "");
    for (const char* broken : {"[", "range(", "[1, 2", "]", "list()", "[1] +", "+", "[for in]", "(", "range()"})
        (void)error(broken);
}

}  // namespace
}  // namespace kernelgen

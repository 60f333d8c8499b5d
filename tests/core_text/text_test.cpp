// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/end_of_output.h"

namespace kernelgen {
namespace {

using Words = std::vector<std::string>;

TEST(DidYouMean, NamesTheNearestWord) {
    const Words known = {"bias", "x", "out", "row_mean"};
    EXPECT_EQ(did_you_mean("bais", known), "did you mean `bias`?");
    EXPECT_EQ(did_you_mean("biass", known), "did you mean `bias`?");
    EXPECT_EQ(did_you_mean("row_maen", known), "did you mean `row_mean`?");
}

TEST(DidYouMean, SaysNothingWhereNoneIsNear) {
    EXPECT_EQ(did_you_mean("temperature", Words{"bias", "x"}), "");
    EXPECT_EQ(did_you_mean("y", Words{"x"}), "");
    EXPECT_EQ(did_you_mean("", Words{"x"}), "");
    EXPECT_EQ(did_you_mean("bias", Words{}), "");
    EXPECT_EQ(did_you_mean(std::string(100000, 'x'), Words{"x"}), "");
}

TEST(Split, KeepsEmptyParts) {
    EXPECT_EQ(split("a,b", ','), (Words{"a", "b"}));
    EXPECT_EQ(split(",a,", ','), (Words{"", "a", ""}));
    EXPECT_EQ(split("", ','), Words{""});
}

TEST(Join, IsTheReverse) {
    EXPECT_EQ(join(Words{"a", "b", "c"}, ", "), "a, b, c");
    EXPECT_EQ(join(Words{}, ", "), "");
}

TEST(Trim, TakesBlanksOffBothEnds) {
    EXPECT_EQ(trim(" \t a b\r\n"), "a b");
    EXPECT_EQ(trim(" \n"), "");
}

TEST(ParseInteger, TakesTheWholeTextOrNothing) {
    long long value = -1;
    EXPECT_TRUE(parse_integer(" +42 ", value));
    EXPECT_EQ(value, 42);
    EXPECT_TRUE(parse_integer("-9223372036854775808", value));
    EXPECT_EQ(value, std::numeric_limits<long long>::min());
    for (const char* text : {"", "+", "4x", "1e3", "1.0", "0x10", "9223372036854775808", "--1", "+-1", "4 2"}) {
        EXPECT_FALSE(parse_integer(text, value)) << text;
    }
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
    double value = 0;
    EXPECT_TRUE(parse_number("1.5e-7", value));
    EXPECT_EQ(value, 1.5e-7);
    EXPECT_TRUE(parse_number(".5", value));
    EXPECT_EQ(value, 0.5);
    for (const char* text : {"", "1,5", "1.5f", "1e999", "e5", "+-1"}) EXPECT_FALSE(parse_number(text, value)) << text;
}

TEST(HashHex, IsTheSameOnEveryMachine) {
    // xxhsum -H2 of the same bytes
    EXPECT_EQ(hash_hex(""), "99aa06d3014798d86001c324468d497f");
    EXPECT_EQ(hash_hex("a").size(), 32u);
    EXPECT_NE(hash_hex("a"), hash_hex("b"));
}

TEST(EndOfOutput, IsShortAndBeginsWithACharacter) {
    EXPECT_EQ(end_of_output(" said \n"), "said");
    const std::string end = end_of_output(std::string(100'000, 'a') + "é" + std::string(499, 'b'));
    EXPECT_EQ(end, "…" + std::string(499, 'b'));
}

TEST(WithSiPrefix, KeepsThreeDigits) {
    EXPECT_EQ(with_si_prefix(4.2e9, "B/s"), "4.20 GB/s");
    EXPECT_EQ(with_si_prefix(999.9, "B"), "1.00 kB");
    EXPECT_EQ(with_si_prefix(12.34, "s"), "12.3 s");
    EXPECT_EQ(with_si_prefix(123.4e-6, "s"), "123 µs");
    EXPECT_EQ(with_si_prefix(-2.5e-9, "s"), "-2.50 ns");
    EXPECT_EQ(with_si_prefix(0, "B"), "0 B");
    EXPECT_EQ(with_si_prefix(1e30, "B").substr(0, 1), "1");
    EXPECT_EQ(with_si_prefix(std::numeric_limits<double>::infinity(), "B"), "inf B");
}

}  // namespace
}  // namespace kernelgen

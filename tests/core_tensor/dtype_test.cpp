// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/dtype.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace kernelgen {

static void PrintTo(DType dtype, std::ostream* out) { *out << to_string(dtype); }

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double decoded(DType dtype, std::uint32_t bits) {
    double value = 0;
    decode(dtype, &bits, std::span(&value, 1));  // little-endian: the low bytes come first
    return value;
}

std::uint32_t encoded(DType dtype, double value) {
    std::uint32_t bits = 0;
    encode(dtype, std::span(&value, 1), &bits);
    return bits;
}

class SmallFloat : public testing::TestWithParam<DType> {
protected:
    std::uint32_t patterns() const { return 1u << (8 * size_of(GetParam())); }
};

INSTANTIATE_TEST_SUITE_P(Formats, SmallFloat, testing::Values(DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2),
                         [](const auto& format) { return std::string(to_string(format.param)); });

TEST_P(SmallFloat, KeepsEveryBitPattern) {
    for (std::uint32_t bits = 0; bits < patterns(); ++bits) {
        const double value = decoded(GetParam(), bits);
        const std::uint32_t again = encoded(GetParam(), value);
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(decoded(GetParam(), again))) << bits;
        } else {
            EXPECT_EQ(again, bits) << value;
        }
    }
}

TEST_P(SmallFloat, DecodesToFloatAsToDouble) {
    for (std::uint32_t bits = 0; bits < patterns(); ++bits) {
        float value = 0;
        decode(GetParam(), &bits, std::span(&value, 1));
        const double wide = decoded(GetParam(), bits);
        EXPECT_TRUE(value == wide || (std::isnan(value) && std::isnan(wide))) << bits;
    }
}

TEST_P(SmallFloat, RoundsToTheNearestAndTiesToEven) {
    const DType dtype = GetParam();
    for (std::uint32_t bits = 0; bits + 1 < patterns() / 2; ++bits) {
        const double low = decoded(dtype, bits), high = decoded(dtype, bits + 1);
        if (!std::isfinite(low) || !std::isfinite(high)) continue;
        const double middle = (low + high) / 2;
        const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
        for (const double sign : {1.0, -1.0}) {
            const std::uint32_t top = sign < 0 ? patterns() / 2 : 0;
            EXPECT_EQ(encoded(dtype, sign * middle), top + even) << middle;
            EXPECT_EQ(encoded(dtype, sign * std::nextafter(middle, low)), top + bits) << middle;
            EXPECT_EQ(encoded(dtype, sign * std::nextafter(middle, high)), top + bits + 1) << middle;
        }
        EXPECT_EQ(round_to(dtype, middle), decoded(dtype, even));
    }
}

TEST_P(SmallFloat, KeepsNaNAndTheSignOfZero) {
    EXPECT_TRUE(std::isnan(round_to(GetParam(), nan)));
    EXPECT_TRUE(std::isnan(decoded(GetParam(), encoded(GetParam(), nan))));
    EXPECT_TRUE(std::signbit(round_to(GetParam(), -0.0)));
    EXPECT_TRUE(std::signbit(decoded(GetParam(), encoded(GetParam(), -1e-300))));
    EXPECT_EQ(encoded(GetParam(), 0.0), 0u);
}

TEST_P(SmallFloat, DescribesItself) {
    const DType dtype = GetParam();
    EXPECT_EQ(round_to(dtype, largest_finite(dtype)), largest_finite(dtype));
    EXPECT_EQ(round_to(dtype, 1 + 2 * half_ulp(dtype)), 1 + 2 * half_ulp(dtype));
    EXPECT_EQ(round_to(dtype, 1 + half_ulp(dtype)), 1);  // a tie, to even
    EXPECT_EQ(round_to(dtype, smallest_normal(dtype)), smallest_normal(dtype));
}

TEST(Overflow, IsInfiniteWhereTheFormatHasInfinities) {
    // The last value that rounds down is half a unit above the largest; the tie goes up, to even.
    EXPECT_EQ(round_to(DType::f16, std::nextafter(65520.0, 0)), 65504);
    EXPECT_EQ(round_to(DType::f16, 65520), inf);
    EXPECT_EQ(round_to(DType::f16, -1e9), -inf);
    EXPECT_EQ(round_to(DType::bf16, 0x1.fep127), 0x1.fep127);
    EXPECT_EQ(round_to(DType::bf16, std::nextafter(0x1.ffp127, 0)), 0x1.fep127);
    EXPECT_EQ(round_to(DType::bf16, 0x1.ffp127), inf);
    EXPECT_EQ(round_to(DType::bf16, -1e300), -inf);
    EXPECT_EQ(round_to(DType::f8e5m2, std::nextafter(61440.0, 0)), 57344);
    EXPECT_EQ(round_to(DType::f8e5m2, 61440), inf);
    EXPECT_EQ(round_to(DType::f32, 1e39), inf);
    EXPECT_EQ(round_to(DType::f64, 1e308), 1e308);
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f8e5m2})
        EXPECT_EQ(round_to(dtype, -inf), -inf);
}

TEST(Overflow, IsNaNInE4M3) {
    EXPECT_EQ(round_to(DType::f8e4m3, 464), 448);  // a tie, to even
    EXPECT_TRUE(std::isnan(round_to(DType::f8e4m3, std::nextafter(464.0, 500))));
    EXPECT_TRUE(std::isnan(round_to(DType::f8e4m3, -inf)));
    EXPECT_EQ(encoded(DType::f8e4m3, -1e9) & 0x7f, 0x7fu);
}

TEST(KnownPatterns, AreTheFormats) {
    EXPECT_EQ(encoded(DType::f16, 1.0), 0x3c00u);
    EXPECT_EQ(encoded(DType::f16, 0x1p-24), 0x0001u);
    EXPECT_EQ(encoded(DType::bf16, -2.5), 0xc020u);
    EXPECT_EQ(encoded(DType::f8e4m3, 448), 0x7eu);
    EXPECT_EQ(encoded(DType::f8e4m3, 0x1p-9), 0x01u);
    EXPECT_EQ(encoded(DType::f8e4m3, -1.125), 0xb9u);
    EXPECT_EQ(encoded(DType::f8e5m2, 57344), 0x7bu);
    EXPECT_EQ(encoded(DType::f8e5m2, inf), 0x7cu);
    EXPECT_EQ(encoded(DType::f8e5m2, 0x1p-16), 0x01u);
    EXPECT_EQ(encoded(DType::f32, -1.5f), 0xbfc00000u);
}

TEST(Bf16, IsNotRoundedTwice) {
    // Just above the middle of two neighbours; f32 would round it onto the middle, and that to even, down.
    EXPECT_EQ(round_to(DType::bf16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
    EXPECT_EQ(round_to(DType::bf16, -(1 + 0x1p-8 + 0x1p-40)), -(1 + 0x1p-7));
    EXPECT_EQ(round_to(DType::bf16, 1 + 3 * 0x1p-8 - 0x1p-40), 1 + 0x1p-7);
    EXPECT_EQ(round_to(DType::f16, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
}

TEST(Integers, SaturateRoundToEvenAndTakeNaNAsZero) {
    EXPECT_EQ(round_to(DType::i8, 127.5), 127);
    EXPECT_EQ(round_to(DType::i8, -1e9), -128);
    EXPECT_EQ(round_to(DType::i8, 2.5), 2);
    EXPECT_EQ(round_to(DType::i8, 3.5), 4);
    EXPECT_EQ(round_to(DType::i32, 1e10), 2147483647);
    EXPECT_EQ(round_to(DType::i32, -inf), -2147483648.0);
    EXPECT_EQ(round_to(DType::i32, nan), 0);
    EXPECT_FALSE(std::signbit(round_to(DType::i32, -0.2)));
    EXPECT_EQ(encoded(DType::i32, -2), 0xfffffffeu);
    EXPECT_EQ(decoded(DType::i8, 0x80), -128);
}

TEST(Encode, WritesBlocksWithoutTouchingTheirNeighbours) {
    for (const DType dtype : all_dtypes) {
        const std::vector<double> values = {1, -2, 3};
        std::vector<unsigned char> bytes(size_of(dtype) * 5, 0xee);
        encode(dtype, values, bytes.data() + size_of(dtype));
        std::vector<double> again(3);
        decode(dtype, bytes.data() + size_of(dtype), again);
        EXPECT_EQ(again, values) << to_string(dtype);
        for (std::size_t i = 0; i < size_of(dtype); ++i) {
            EXPECT_EQ(bytes[i], 0xee);
            EXPECT_EQ(bytes[bytes.size() - 1 - i], 0xee);
        }
    }
}

TEST(DTypes, HaveNamesThatParse) {
    for (const DType dtype : all_dtypes) EXPECT_EQ(parse_dtype(to_string(dtype)), dtype);
    EXPECT_EQ(parse_dtype("float32"), std::nullopt);
    EXPECT_EQ(parse_dtype(""), std::nullopt);
}

TEST(DTypes, AreComputedInF32ExceptWhereThatWouldLose) {
    EXPECT_EQ(default_arithmetic(DType::f64), DType::f64);
    EXPECT_EQ(default_arithmetic(DType::i32), DType::f64);
    EXPECT_EQ(default_arithmetic(DType::i8), DType::f64);
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2}) {
        EXPECT_EQ(default_arithmetic(dtype), DType::f32);
    }
}

}  // namespace
}  // namespace kernelgen

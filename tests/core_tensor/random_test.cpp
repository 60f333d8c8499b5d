// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace kernelgen {
namespace {

constexpr InputSet drawn_sets[] = {InputSet::normal, InputSet::zeros,    InputSet::ones,
                                   InputSet::tiny,   InputSet::large,    InputSet::negative,
                                   InputSet::nan,    InputSet::infinity, InputSet::special};

std::vector<double> generated(InputSet set, DType dtype, std::size_t count = 10000, std::uint64_t seed = 1,
                              int tensor = 0, std::int64_t first = 0) {
    std::vector<double> values(count);
    generate(set, seed, tensor, dtype, first, values);
    return values;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST(Generate, MakesTheSameValuesInBlocksOfAnySize) {
    for (const InputSet set : drawn_sets) {
        const std::vector<double> whole = generated(set, DType::f32, 1000);
        for (const std::size_t block : {1, 7, 256}) {
            for (std::size_t first = 0; first < 1000; first += block) {
                const std::size_t count = std::min(block, 1000 - first);
                const auto part = generated(set, DType::f32, count, 1, 0, static_cast<std::int64_t>(first));
                EXPECT_TRUE(std::ranges::equal(part, std::span(whole).subspan(first, count), same)) << to_string(set);
            }
        }
    }
}

TEST(Generate, MakesTheSameNormalNumbersOneByOneAndManyAtATime) {
    constexpr std::size_t count = 200000;  // a hundred of them in the outermost steps
    const std::vector<double> whole = generated(InputSet::normal, DType::f64, count);
    std::size_t different = 0;
    for (std::size_t i = 0; i < count; ++i)
        different += generated(InputSet::normal, DType::f64, 1, 1, 0, static_cast<std::int64_t>(i))[0] != whole[i];
    EXPECT_EQ(different, 0);
    EXPECT_GT(std::ranges::max(whole), 4);
    EXPECT_LT(std::ranges::min(whole), -4);
}

TEST(Generate, MakesOtherValuesForOtherSeedsAndTensors) {
    const auto base = generated(InputSet::normal, DType::f64, 1000);
    for (const auto& other :
         {generated(InputSet::normal, DType::f64, 1000, 2), generated(InputSet::normal, DType::f64, 1000, 1, 1)}) {
        int equal = 0;
        double product = 0;
        for (std::size_t i = 0; i < base.size(); ++i) {
            equal += base[i] == other[i];
            product += base[i] * other[i] / 1000;
        }
        EXPECT_EQ(equal, 0);
        EXPECT_LT(std::abs(product), 0.15);  // uncorrelated: its deviation is 0.032
    }
}

TEST(Generate, ReachesIndicesBeyond32Bits) {
    const auto low = generated(InputSet::normal, DType::f64, 4, 1, 0, 0);
    const auto high = generated(InputSet::normal, DType::f64, 4, 1, 0, 1ll << 32);
    EXPECT_NE(low, high);
}

TEST(Generate, DrawsFromTheStandardNormalDistribution) {
    const auto values = generated(InputSet::normal, DType::f64, 200000);
    double moments[5] = {};
    for (const double value : values) {
        for (int k = 1; k <= 4; ++k) moments[k] += std::pow(value, k) / 200000;
    }
    EXPECT_NEAR(moments[1], 0, 0.01);
    EXPECT_NEAR(moments[2], 1, 0.02);
    EXPECT_NEAR(moments[3], 0, 0.05);
    EXPECT_NEAR(moments[4], 3, 0.15);
    // The share within one, two and three deviations.
    for (const auto& [reach, share] : {std::pair(1.0, 0.682689), std::pair(2.0, 0.954500), std::pair(3.0, 0.997300)}) {
        const auto within = std::ranges::count_if(values, [&](double value) { return std::abs(value) < reach; });
        EXPECT_NEAR(static_cast<double>(within) / 200000, share, 0.004) << reach;
    }
    EXPECT_GT(*std::ranges::max_element(values), 3.9);
}

TEST(Generate, RoundsToTheDtype) {
    for (const InputSet set : drawn_sets) {
        for (const DType dtype : all_dtypes) {
            for (const double value : generated(set, dtype, 2000)) {
                ASSERT_TRUE(same(round_to(dtype, value), value))
                    << to_string(set) << " " << to_string(dtype) << " " << value;
            }
        }
    }
}

TEST(Generate, FillsIntegersWithUsefulSpread) {
    const auto bytes = generated(InputSet::normal, DType::i8);
    EXPECT_GT(std::ranges::count_if(bytes, [](double value) { return std::abs(value) > 20; }), 3000);
    EXPECT_EQ(*std::ranges::max_element(bytes), 127 - 0);
}

TEST(EdgeSets, ZerosAndOnesAreThat) {
    EXPECT_EQ(generated(InputSet::zeros, DType::f16, 10), std::vector<double>(10, 0));
    EXPECT_EQ(generated(InputSet::ones, DType::bf16, 10), std::vector<double>(10, 1));
}

TEST(EdgeSets, TinyHoldsNormalsAndDenormals) {
    for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e5m2}) {
        const auto values = generated(InputSet::tiny, dtype);
        const double least = smallest_normal(dtype);
        EXPECT_GT(std::ranges::count_if(values, [&](double v) { return v != 0 && std::abs(v) < least; }), 1000)
            << to_string(dtype);
        EXPECT_GT(std::ranges::count_if(values, [&](double v) { return std::abs(v) >= least; }), 1000)
            << to_string(dtype);
        EXPECT_TRUE(std::ranges::all_of(values, [&](double v) { return std::abs(v) < least * 128; }))
            << to_string(dtype);
    }
}

TEST(EdgeSets, LargeReachesTheLargestValuesAndStaysFinite) {
    for (const DType dtype :
         {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2, DType::i8}) {
        const auto values = generated(InputSet::large, dtype);
        const double largest = largest_finite(dtype);
        EXPECT_TRUE(std::ranges::all_of(values, [&](double v) { return std::isfinite(v) && std::abs(v) <= largest; }))
            << to_string(dtype);
        EXPECT_GT(std::ranges::count_if(values, [&](double v) { return v > largest * 0.45; }), 100) << to_string(dtype);
        EXPECT_GT(std::ranges::count_if(values, [&](double v) { return v < -largest * 0.45; }), 100)
            << to_string(dtype);
        EXPECT_GT(std::ranges::count_if(values, [&](double v) { return std::abs(v) <= 1.01 * std::sqrt(largest) + 1; }),
                  8000)
            << to_string(dtype);
    }
}

TEST(EdgeSets, HaveNegativeValuesOnlyOfWhichExpIsZeroInF32) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::i32}) {
        const auto values = generated(InputSet::negative, dtype);
        EXPECT_LE(std::ranges::max(values), -128) << to_string(dtype);
        EXPECT_LT(std::ranges::min(values), -200) << to_string(dtype);
        EXPECT_GT(std::ranges::min(values), -5000) << to_string(dtype);
    }
    const auto bytes = generated(InputSet::negative, DType::i8);
    EXPECT_LE(std::ranges::max(bytes), -1);
    EXPECT_GE(std::ranges::min(bytes), -128);
}

TEST(EdgeSets, PlantNaNAndInfinitiesAtTheFirstElementAndAboutOneIn97) {
    const auto nans = generated(InputSet::nan, DType::f32);
    EXPECT_TRUE(std::isnan(nans[0]));
    EXPECT_NEAR(static_cast<double>(std::ranges::count_if(nans, [](double v) { return std::isnan(v); })), 10000.0 / 97,
                40);
    const auto infinities = generated(InputSet::infinity, DType::f32);
    EXPECT_TRUE(std::isinf(infinities[0]));
    const auto infinite = [&](double sign) {
        return std::ranges::count_if(infinities, [&](double v) { return std::isinf(v) && v * sign > 0; });
    };
    EXPECT_GT(infinite(1), 20);
    EXPECT_GT(infinite(-1), 20);
    EXPECT_TRUE(std::ranges::none_of(infinities, [](double v) { return std::isnan(v); }));
}

TEST(EdgeSets, AreAllInSpecialValues) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
        const auto values = generated(InputSet::special, dtype);
        const auto share = [&](auto is_such) {
            return static_cast<double>(std::ranges::count_if(values, is_such)) / static_cast<double>(values.size());
        };
        EXPECT_NEAR(share([](double v) { return std::isnan(v); }), 0.125, 0.02) << to_string(dtype);
        EXPECT_NEAR(share([](double v) { return std::isinf(v); }), 0.125, 0.02) << to_string(dtype);
        EXPECT_NEAR(share([](double v) { return std::isfinite(v) && v <= -128; }), 0.125, 0.02) << to_string(dtype);
        EXPECT_GT(share([](double v) { return v == 0; }), 0.125 - 0.02) << to_string(dtype);
        EXPECT_GT(share([](double v) { return std::abs(v) > 8 && std::abs(v) < 100; }), 0.2) << to_string(dtype);
    }
    std::vector<double> values(1000);
    generate(InputSet::special, 1, 0, DType::f32, 0, values, Domain{Domain::Kind::positive});
    EXPECT_TRUE(std::ranges::all_of(values, [](double v) { return std::isfinite(v) && v > 0; }));
}

TEST(InputSets, HaveNamesThatParse) {
    for (const InputSet set : drawn_sets) EXPECT_EQ(parse_input_set(to_string(set)), set);
    EXPECT_EQ(parse_input_set("uniform"), std::nullopt);
}

}  // namespace
}  // namespace kernelgen

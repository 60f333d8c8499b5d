// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/block_scale.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace kernelgen {
namespace {

/// All finite numbers from 0 up that a format has, by their bits.
std::vector<double> numbers_of(DType format) {
    std::vector<double> numbers;
    for (int bits = 0; bits < 0x80; ++bits) {
        const auto byte = static_cast<unsigned char>(bits);
        double value = 0;
        decode(format, &byte, std::span(&value, 1));
        if (std::isfinite(value)) numbers.push_back(value);
    }
    return numbers;
}

double stored(double value, DType format, double scale = 1) {
    double result = 0;
    store_and_read(std::span(&value, 1), scale, format, std::span(&result, 1));
    return result;
}

TEST(BlockScale, RangesAreThoseOfTheFormats) {
    EXPECT_EQ(numbers_of(DType::f8e4m3).back(), 448);
    EXPECT_EQ(numbers_of(DType::f8e5m2).back(), 57344);
    EXPECT_EQ(numbers_of(DType::f8e4m3)[1], std::ldexp(1, -9));
    EXPECT_EQ(numbers_of(DType::f8e5m2)[1], std::ldexp(1, -16));
}

TEST(BlockScale, EveryNumberOfAFormatIsStoredExactly) {
    for (const DType format : fp8_formats) {
        for (const double each : numbers_of(format)) {
            EXPECT_EQ(stored(each, format), each);
            EXPECT_EQ(stored(-each, format), -each);
        }
    }
}

TEST(BlockScale, RoundsToTheNearestAndTiesToEven) {
    for (const DType format : fp8_formats) {
        const std::vector<double> numbers = numbers_of(format);
        for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
            const double middle = (numbers[i] + numbers[i + 1]) / 2;
            const double even = i % 2 == 0 ? numbers[i] : numbers[i + 1];  // by its bits
            EXPECT_EQ(stored(middle, format), even) << i;
            EXPECT_EQ(stored(std::nextafter(middle, 0), format), numbers[i]) << i;
            EXPECT_EQ(stored(std::nextafter(middle, 1e9), format), numbers[i + 1]) << i;
        }
    }
}

TEST(BlockScale, SaturatesAndCountsWhatIsClipped) {
    const std::vector<double> values = {448, 449, -1e30, 500, 1};
    std::vector<double> result(values.size());
    const StoredCounts counts = store_and_read(values, 1, DType::f8e4m3, result);
    EXPECT_THAT(result, ::testing::ElementsAre(448, 448, -448, 448, 1));
    EXPECT_EQ(counts.clipped, 3);
}

TEST(BlockScale, CountsWhatBecomesZero) {
    const std::vector<double> values = {0, std::ldexp(1, -10), std::ldexp(1.01, -10), -1e-30};
    std::vector<double> result(values.size());
    const StoredCounts counts = store_and_read(values, 1, DType::f8e4m3, result);
    EXPECT_EQ(counts.flushed, 2);
    EXPECT_EQ(result[2], std::ldexp(1, -9));
}

TEST(BlockScale, NeverClipsTheAmaxThatItIsFor) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 100'000; ++i) {
        const double amax =
            std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52), int(random() % 200) - 100);
        for (const DType format : fp8_formats) {
            const double scale = scale_for(amax, format);
            EXPECT_LE(amax / scale, largest_finite(format));
            EXPECT_GT(amax / scale, largest_finite(format) * (1 - 1e-6));
            EXPECT_EQ(scale, static_cast<float>(scale));
        }
    }
}

TEST(BlockScale, IsAFloatForAnyAmax) {
    EXPECT_EQ(scale_for(0, DType::f8e4m3), 1);
    EXPECT_EQ(scale_for(1e-320, DType::f8e4m3), std::numeric_limits<float>::denorm_min());
    EXPECT_EQ(scale_for(1e300, DType::f8e5m2), std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/verify/overflow_marks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kernelgen {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

StoredValues stored(const std::vector<double>& values) {
    return {DType::f64, reinterpret_cast<const std::byte*>(values.data())};
}
StoredValues stored(const std::vector<float>& values) {
    return {DType::f32, reinterpret_cast<const std::byte*>(values.data())};
}

std::string exempt(const OverflowMarks& marks) {
    std::string text;
    for (const char mark : marks.exempt()) text += mark != 0 ? '-' : 'x';
    return text;
}

TEST(OverflowMarks, ExemptWhatIsNotFiniteOrFarOffInTheCasesDtypeAlone) {
    OverflowMarks marks(DType::f32, 6);
    const std::vector<double> wide{1, 1, 1, 1, std::nan(""), 0};
    const std::vector<float> own{1, inf, nan, 0, 5, 0};
    marks.add_check(stored(wide), stored(own));
    EXPECT_EQ(exempt(marks), "x---xx");
}

TEST(OverflowMarks, JudgeResultsThatAreTooLargeWhereNothingElseOverflows) {
    OverflowMarks squares(DType::f32, 2), sums(DType::f32, 2);
    const std::vector<double> wide{1e60, 2};
    squares.add_check(stored(wide), stored(std::vector<float>{inf, 2}));
    EXPECT_EQ(exempt(squares), "xx");
    sums.add_check(stored(wide), stored(std::vector<float>{inf, nan}));
    EXPECT_EQ(exempt(sums), "--");
}

TEST(OverflowMarks, ExemptSumsWhoseMagnitudesOverflow) {
    OverflowMarks marks(DType::f32, 3);
    // The magnitudes' sums; of the check's own values the first is too large itself, the second is not.
    marks.add_probe(stored(std::vector<double>{5e38, 5e38, 7}), stored(std::vector<float>{inf, inf, 7}), true);
    marks.add_check(stored(std::vector<double>{4e38, 1e38, 7}), stored(std::vector<float>{inf, 1e38f, 7}));
    EXPECT_EQ(exempt(marks), "x-x");
}

TEST(OverflowMarks, ExemptWhatOverflowsWithinWhenMagnified) {
    OverflowMarks marks(DType::f32, 2);
    marks.add_probe(stored(std::vector<double>{1, 1e60}), stored(std::vector<float>{0, inf}), false);
    marks.add_check(stored(std::vector<double>{1, 2}), stored(std::vector<float>{1, 2}));
    EXPECT_EQ(exempt(marks), "-x");
}

TEST(OverflowMarks, ExemptWhatIsNotFiniteOfAReferenceWithoutFloat64) {
    OverflowMarks marks(DType::f32, 3);
    marks.add_check(stored(std::vector<float>{inf, 1, nan}));
    EXPECT_EQ(exempt(marks), "-x-");
}

}  // namespace
}  // namespace kernelgen

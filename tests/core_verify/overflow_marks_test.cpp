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

std::string text_of(const std::vector<char>& exempt) {
    std::string text;
    for (const char mark : exempt) text += mark != 0 ? '-' : 'x';
    return text;
}

using Wide = std::vector<double>;
using Own = std::vector<float>;

/// Marks of a check that is right in f32.
class Marks {
public:
    explicit Marks(const Wide& check) : check_(check), marks_(DType::f32, check.size()) {
        marks_.set_check(stored(check_));
        marks_.add_own(stored(Own(check.begin(), check.end())));
    }
    OverflowMarks* operator->() { return &marks_; }
    std::string exempt() const { return text_of(marks_.exempt()); }

private:
    const Wide check_;
    OverflowMarks marks_;
};

void add_magnitudes(Marks& marks, const Wide& values) {
    marks->add_magnitudes(stored(values), stored(Own(values.begin(), values.end())));
}

TEST(OverflowMarks, ExemptWhatIsNotFiniteOrFarOffInTheCasesDtypeAlone) {
    OverflowMarks marks(DType::f32, 6);
    const Wide wide{1, 1, 1, 1, std::nan(""), 0};
    const Own own{1, inf, nan, 0, 5, 0};
    marks.set_check(stored(wide));
    marks.add_own(stored(own));
    EXPECT_EQ(text_of(marks.exempt()), "x---xx");
}

TEST(OverflowMarks, ExemptWhatOverflowsWithinWhenMagnified) {
    Marks marks({1, 2});
    marks->add_magnified(stored(Wide{1, 1e60}), stored(Own{0, inf}));
    EXPECT_EQ(marks.exempt(), "-x");
}

TEST(OverflowMarks, JudgeAnElementThatIsTooLargeItself) {
    Marks squares({1e60, -1e60, 2});
    add_magnitudes(squares, {1e60, 1e60, 2});
    EXPECT_EQ(squares.exempt(), "xxx");
}

TEST(OverflowMarks, ExemptSumsWhoseMagnitudesOverflow) {
    Marks sums({1e38, 4e38, 7});
    add_magnitudes(sums, {5e38, 5e38, 7});
    EXPECT_EQ(sums.exempt(), "--x");
}

TEST(OverflowMarks, ExemptSumsThatOverflowBesideALargerTerm) {
    Marks marks({-1e76, -1e76});
    add_magnitudes(marks, {1e76, 1e76});
    marks->add_halves(stored(Wide{-1e76, -1e76}), stored(Wide{4e38, 0}));
    EXPECT_EQ(marks.exempt(), "-x");
}

TEST(OverflowMarks, ExemptMeansOfWhichTheSumMayOverflow) {
    Marks means({1e38, 1e38, 1e19});
    add_magnitudes(means, {2e38, 1e38, 2e19});
    means->add_halves(stored(Wide{5e37, 1e38, 5e18}), stored(Wide{5e37, 0, 5e18}));
    EXPECT_EQ(means.exempt(), "-xx");
}

TEST(OverflowMarks, ExemptRootsOfSumsOfSquares) {
    // A norm of several elements, a magnitude of one, and a sum of several, which has their sign.
    Marks marks({2e19, 1e19, 1e19});
    marks->add_halves(stored(Wide{1e19, 0, 5e18}), stored(Wide{1.7e19, 1e19, 5e18}));
    marks->add_negated(stored(Wide{2e19, 1e19, -1e19}));
    EXPECT_EQ(marks.exempt(), "-xx");
}

TEST(OverflowMarks, ExemptSumsThatCancel) {
    // Sums of several elements, and a maximum: the half that has it makes it what it was.
    Marks marks({1e18, 1e19, 1e18});
    add_magnitudes(marks, {2e19, 2e19, 2e19});
    marks->add_halves(stored(Wide{1e19, 5e18, 1e18}), stored(Wide{-9e18, 5e18, 0}));
    EXPECT_EQ(marks.exempt(), "-xx");
}

TEST(OverflowMarks, ExemptWhatDoesNotDependOnAnInputsScale) {
    // A normalisation, a product, what is made of another input only, and a softmax that is 0.
    Marks marks({0.5, 1e19, 3, 0});
    marks->add_scaled(stored(Wide{0.5, 1, 3, 0}), stored(Wide{0, 0, 3, 0.25}));
    EXPECT_EQ(marks.exempt(), "-xxx");
}

TEST(OverflowMarks, ExemptWhatIsZeroInsteadOfASmallNumber) {
    // The root of a variance that overflows f16, beside the dtype's smallest normal number of 6e-5.
    OverflowMarks marks(DType::f16, 3);
    const Wide wide{1e-4, 2e-5, 1e-8};
    const Own own{0, 0, 0};
    marks.set_check(stored(wide));
    marks.add_own(stored(own));
    EXPECT_EQ(text_of(marks.exempt()), "--x");
}

TEST(OverflowMarks, ExemptANormalisationBesideALargerNumber) {
    // One of 1 beside 50, one that 3e38 covers, a number that is made of nothing else, and a maximum.
    Marks marks({51, 3e38, 3e38, 5});
    marks->add_scaled(stored(Wide{51, 3e38, 3e38, 5}), stored(Wide{50, 3e38, 3e38, 5}));
    ASSERT_TRUE(marks->has_covered());
    const double nan_of_it = std::nan("");
    marks->add_covered(stored(Wide{nan_of_it, nan_of_it, 3e38, nan_of_it}), stored(Wide{51, 3e38, 3e38, 9}),
                       stored(Wide{51, 3e38, 3e38, 5}));
    EXPECT_EQ(marks.exempt(), "--xx");
}

TEST(OverflowMarks, ExemptConstants) {
    // A normalisation of one element; a `relu` is not constant though two of its results are 0.
    Marks marks({0, 0});
    add_magnitudes(marks, {0, 1e19});
    marks->add_unrelated(stored(Wide{0, 0}));
    EXPECT_EQ(marks.exempt(), "-x");
}

TEST(OverflowMarks, ExemptWhatIsNotFiniteOfAReferenceWithoutFloat64) {
    EXPECT_EQ(text_of(not_finite(stored(Own{inf, 1, nan}), 3)), "-x-");
}

}  // namespace
}  // namespace kernelgen

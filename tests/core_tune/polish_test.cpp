// SPDX-License-Identifier: Apache-2.0
#include "core/tune/polish.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// A and B from 1 to 4, but not both 4.
TuningSpace square() {
    return TuningSpace::make({{"A", {1, 2, 3, 4}, 1}, {"B", {1, 2, 3, 4}, 1}}, {"A + B < 8"}, {}).value();
}

std::size_t at(const TuningSpace& space, std::int64_t a, std::int64_t b) {
    return space.find(Configuration{{"A", a}, {"B", b}}).value();
}

TEST(Polish, TriesWhatDiffersFromTheBestInOneParameter) {
    const TuningSpace space = square();
    EXPECT_THAT(near_the_best(space, {at(space, 3, 4), at(space, 1, 1)}, {}, 9),
                UnorderedElementsAre(at(space, 2, 4), at(space, 3, 3)));
    EXPECT_THAT(near_the_best(space, {at(space, 2, 2)}, {}, 3), SizeIs(3));
}

TEST(Polish, GoesOnWithTheSecondBestWhereNothingIsLeft) {
    const TuningSpace space = square();
    const std::set<std::size_t> begun = {at(space, 2, 4), at(space, 3, 3), at(space, 1, 2)};
    EXPECT_THAT(near_the_best(space, {at(space, 3, 4), at(space, 1, 1)}, begun, 9),
                UnorderedElementsAre(at(space, 2, 1)));
    EXPECT_THAT(near_the_best(space, {at(space, 3, 4)}, begun, 9), IsEmpty());
    EXPECT_THAT(near_the_best(space, {}, {}, 9), IsEmpty());
}

TEST(Polish, IsTheEndOfASearchAndTheLastTwoBatchesOfAShortOne) {
    EXPECT_FALSE(is_time_to_polish(100, 100, 16));
    EXPECT_FALSE(is_time_to_polish(139, 61, 16));
    EXPECT_TRUE(is_time_to_polish(140, 60, 16));
    EXPECT_TRUE(is_time_to_polish(17, 28, 16));
    EXPECT_TRUE(is_time_to_polish(33, 12, 16));
    EXPECT_FALSE(is_time_to_polish(1, 28, 16)) << "nearly the whole search";
    EXPECT_FALSE(is_time_to_polish(20, 20, 2));
    EXPECT_TRUE(is_time_to_polish(28, 12, 2));
}

}  // namespace
}  // namespace kernelgen

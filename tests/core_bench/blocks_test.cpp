// SPDX-License-Identifier: Apache-2.0
#include "core/bench/blocks.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using testing::ElementsAre;

/// Three turns of two sides; the state of each place is its number, with two sets of buffers.
SampleRequest three_turns() {
    SampleRequest request;
    request.turns = {{1, 0}, {0, 1}, {1, 0}};
    for (std::uint64_t place = 0; place < 6; ++place)
        request.states.insert(request.states.end(), {10 * place, 10 * place + 1});
    return request;
}

TEST(Blocks, TakeTheSidesInTheOrderOfTheFirstTurn) {
    EXPECT_THAT(sides_in(three_turns(), 0, 3), ElementsAre(1, 0));
    EXPECT_THAT(sides_in(three_turns(), 1, 2), ElementsAre(0, 1));
}

TEST(Blocks, GiveASideTheInputsOfItsPlaces) {
    const SampleRequest request = three_turns();
    const SampleRequest part = part_of({request, 1, 3, 0}, 2);
    EXPECT_THAT(part.turns, ElementsAre(ElementsAre(0), ElementsAre(0)));
    EXPECT_THAT(part.states, ElementsAre(20, 21, 50, 51));
}

TEST(Blocks, CaptureOnlyTheSideThatWasAskedFor) {
    SampleRequest request = three_turns();
    request.capture = {1, 1, 2};
    EXPECT_FALSE(part_of({request, 0, 3, 0}, 2).capture);
    EXPECT_FALSE(part_of({request, 0, 2, 1}, 2).capture);
    const SampleRequest part = part_of({request, 1, 3, 1}, 2);
    ASSERT_TRUE(part.capture);
    EXPECT_EQ(part.capture->side, 0);
    EXPECT_EQ(part.capture->set, 1);
    EXPECT_EQ(part.capture->turn, 1u);
}

TEST(Blocks, HaveTurnsOfNobodyForEverySide) {
    SampleRequest request;
    request.turns = {{SampleRequest::nobody}, {1, 0}};
    EXPECT_THAT(sides_in(request, 0, 2), ElementsAre(1, 0));
    EXPECT_THAT(part_of({request, 0, 2, 1}, 1).turns, ElementsAre(ElementsAre(SampleRequest::nobody), ElementsAre(0)));
    EXPECT_THAT(sides_in(request, 0, 1), ElementsAre(SampleRequest::nobody));
}

}  // namespace
}  // namespace kernelgen

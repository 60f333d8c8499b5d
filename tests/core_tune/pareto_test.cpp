// SPDX-License-Identifier: Apache-2.0
#include "core/tune/pareto.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Tried tried_with_memory(double seconds, double memory_bytes, Status status = Status::ok) {
    Tried made;
    made.seconds = seconds;
    made.memory_bytes = memory_bytes;
    made.status = status;
    return made;
}

TEST(Pareto, HasWhatNoOtherOneBeats) {
    EXPECT_THAT(pareto_front({tried_with_memory(3, 10), tried_with_memory(1, 30), tried_with_memory(2, 30),
                              tried_with_memory(2, 20), tried_with_memory(4, 10), tried_with_memory(5, 5)}),
                ElementsAre(1, 3, 0, 5));
}

TEST(Pareto, LeavesOutWhatFailed) {
    EXPECT_THAT(pareto_front({tried_with_memory(0, 0, Status::crashed), tried_with_memory(2, 2)}), ElementsAre(1));
    EXPECT_THAT(pareto_front({}), IsEmpty());
}

TEST(Pareto, OfEqualsTakesTheFirst) {
    EXPECT_THAT(pareto_front({tried_with_memory(1, 1), tried_with_memory(1, 1)}), ElementsAre(0));
}

TEST(Pareto, OfTimeAndEnergyHasWhatWasMeasured) {
    std::vector<Tried> all = {tried_with_memory(1, 1), tried_with_memory(2, 1), tried_with_memory(3, 1)};
    EXPECT_THAT(pareto_front(all, &Tried::energy_joules), IsEmpty());
    all[1].energy_joules = 5;
    all[2].energy_joules = 4;
    EXPECT_THAT(pareto_front(all, &Tried::energy_joules), ElementsAre(1, 2));
    EXPECT_THAT(pareto_front(all), ElementsAre(0));
}

}  // namespace
}  // namespace kernelgen

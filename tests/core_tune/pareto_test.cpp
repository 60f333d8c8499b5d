// SPDX-License-Identifier: Apache-2.0
#include "core/tune/pareto.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Tried tried(double seconds, double memory_bytes, Status status = Status::ok) {
    Tried made;
    made.seconds = seconds;
    made.memory_bytes = memory_bytes;
    made.status = status;
    return made;
}

TEST(Pareto, HasWhatNoOtherOneBeats) {
    EXPECT_THAT(pareto_front({tried(3, 10), tried(1, 30), tried(2, 30), tried(2, 20), tried(4, 10), tried(5, 5)}),
                ElementsAre(1, 3, 0, 5));
}

TEST(Pareto, CountsTheEnergyWhereItWasMeasured) {
    std::vector<Tried> all = {tried(1, 10), tried(2, 10), tried(3, 10), tried(4, 20), tried(5, 5)};
    all[0].energy_joules = 4;
    all[1].energy_joules = 3;
    all[2].energy_joules = 3.5;
    all[3].energy_joules = 2;
    EXPECT_THAT(pareto_front(all), ElementsAre(0, 1, 3, 4));
}

TEST(Pareto, LeavesOutWhatFailed) {
    EXPECT_THAT(pareto_front({tried(0, 0, Status::crashed), tried(2, 2)}), ElementsAre(1));
    EXPECT_THAT(pareto_front({}), IsEmpty());
}

TEST(Pareto, OfEqualsTakesTheFirst) { EXPECT_THAT(pareto_front({tried(1, 1), tried(1, 1)}), ElementsAre(0)); }

}  // namespace
}  // namespace kernelgen

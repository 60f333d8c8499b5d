// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/next_to_try.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::UnorderedElementsAre;

Configuration at(std::int64_t a, std::int64_t b) { return {{"A", a}, {"B", b}}; }

Tried tried(const Configuration& configuration, double objective) {
    return {.configuration = configuration, .objective = objective, .seconds = objective};
}

class NextToTryTest : public testing::Test {
protected:
    NextToTryTest() { tuning_.head.incumbent = at(1, 1); }

    std::vector<Configuration> near_the_best(const std::vector<Tried>& all, const SearchOptions& options = {}) {
        tuning_.tried = all;
        NextToTry next(space_, Strategy::random, options);
        for (const Tried& each : all) next.tell(each);
        return next.choose(options.first.empty() ? 9 : 1, tuning_, true);
    }

    const TuningSpace space_ = TuningSpace::make({{"A", {1, 2, 3}, 1}, {"B", {1, 2, 3}, 1}}, {}, {}).value();

private:
    Tuning tuning_;
};

TEST_F(NextToTryTest, StaysNearTheIncumbentWhereAnotherIsBetterByNoise) {
    EXPECT_THAT(near_the_best({tried(at(1, 1), 1), tried(at(3, 3), 0.995)}), UnorderedElementsAre(at(2, 1), at(1, 2)));
}

TEST_F(NextToTryTest, LeavesTheIncumbentForWhatIsBetter) {
    EXPECT_THAT(near_the_best({tried(at(1, 1), 1), tried(at(3, 3), 0.98)}), UnorderedElementsAre(at(2, 3), at(3, 2)));
}

TEST_F(NextToTryTest, TriesFirstWhatIsKnown) {
    const SearchOptions known{.first = {space_.find(at(3, 3)).value()}};
    EXPECT_THAT(near_the_best({tried(at(1, 1), 1)}, known), UnorderedElementsAre(at(3, 3)));
}

TEST_F(NextToTryTest, TakesTheNextBestWhereTheNeighboursOfTheBestWereTried) {
    EXPECT_THAT(near_the_best({tried(at(1, 1), 1), tried(at(2, 1), 2), tried(at(1, 2), 3)}),
                UnorderedElementsAre(at(3, 1), at(2, 2)));
}

}  // namespace
}  // namespace kernelgen

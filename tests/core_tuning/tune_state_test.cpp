// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/tune_state.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

Tried tried_in_race(std::int64_t tile, double seconds, double ratio) {
    return {.configuration = {{"TILE", tile}}, .objective = 10e-3 * ratio, .seconds = seconds, .ratio = ratio};
}

TEST(TuneState, BestIsByTheObjectiveAndInTheRatioOfItsRace) {
    Tuning tuning;
    tuning.head.incumbent = {{"TILE", 1}};
    tuning.tried = {tried_in_race(1, 10e-3, 1), tried_in_race(2, 9e-3, 0.75),  // while the device was slower
                    tried_in_race(4, 7e-3, 0.98)};                             // while it was faster
    tuning.tried.push_back({.configuration = {{"TILE", 8}}, .status = Status::build_failed});
    TuneState state;
    take_results(state, tuning);
    EXPECT_EQ(state.tried, 4);
    EXPECT_EQ(state.failed, 1);
    EXPECT_DOUBLE_EQ(state.incumbent_seconds, 10e-3);
    EXPECT_DOUBLE_EQ(state.best_seconds, 7.5e-3);
}

TEST(TuneState, WithoutIncumbentTheBestHasItsOwnTime) {
    Tuning tuning;
    tuning.head.incumbent = {{"TILE", 1}};
    tuning.tried = {tried_in_race(2, 9e-3, 0)};
    TuneState state;
    take_results(state, tuning);
    EXPECT_DOUBLE_EQ(state.best_seconds, 9e-3);
    EXPECT_DOUBLE_EQ(state.incumbent_seconds, 0);
}

}  // namespace
}  // namespace kernelgen

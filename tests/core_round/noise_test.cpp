// SPDX-License-Identifier: Apache-2.0
#include "core/round/noise.h"

#include <gtest/gtest.h>

#include "tests/core_round/sample_round.h"

namespace kernelgen {
namespace {

RoundCase calm() {
    RoundCase timed = sample_round().round.cases.front();
    timed.rsd = timed.baseline_rsd = 0.02;
    return timed;
}

TEST(Noise, IsASpreadOverFivePerCentOnEitherSide) {
    RoundCase candidate = calm(), baseline = calm();
    candidate.rsd = 0.051;
    baseline.baseline_rsd = 0.051;
    EXPECT_FALSE(is_noisy(calm()));
    EXPECT_TRUE(is_noisy(candidate));
    EXPECT_TRUE(is_noisy(baseline));
}

TEST(Noise, IsAnIntervalThatHoldsOne) {
    RoundCase undecided = calm(), slower = calm();
    undecided.speedup_lower = 0.99;
    slower.speedup_lower = 0.8;
    slower.speedup_upper = 0.9;
    EXPECT_TRUE(is_noisy(undecided));
    EXPECT_FALSE(is_noisy(slower));
}

TEST(Noise, OfARoundIsThatOfACaseWhoseTimeCounts) {
    Round round = sample_round().round;
    EXPECT_FALSE(is_noisy(round));
    round.cases.front().rsd = 0.5;
    EXPECT_TRUE(is_noisy(round));
    round.status = Status::mismatch;
    EXPECT_FALSE(is_noisy(round)) << "it posts no speedup";
}

}  // namespace
}  // namespace kernelgen

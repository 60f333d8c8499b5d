// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/timed_sample.h"

#include <gmock/gmock.h>

#include "core/round/history.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

std::string refused(const RoundDetail& detail) { return timed_samples(detail).error().message; }

RoundDetail recorded() {
    return load_round_detail(std::string(KERNELGEN_SOURCE_DIR) + "/projects/bias_add", 2).value();
}

TEST(TimedSamples, HaveTheTimesOfEachLimit) {
    const TimedSample sample = timed_samples(recorded()).value().front();
    EXPECT_GT(sample.memory, 0.9 * sample.seconds);
    EXPECT_LT(sample.memory, 1.03 * sample.seconds);
    EXPECT_LT(sample.arithmetic, 0.1 * sample.seconds);
    EXPECT_EQ(sample.functions, 0);
    EXPECT_GT(sample.programs, 0);
}

TEST(TimedSamples, NeedABody) {
    RoundDetail detail = recorded();
    detail.definition.family = Family::callable;
    EXPECT_THAT(refused(detail), HasSubstr("there is no roofline to predict from"));
}

TEST(TimedSamples, NeedCeilings) {
    RoundDetail detail = recorded();
    detail.ceilings = {};
    EXPECT_THAT(refused(detail), HasSubstr("`kernelgen devices --measure` measures them"));
}

TEST(TimedSamples, NeedATimedCase) {
    RoundDetail detail = recorded();
    detail.round.status = Status::mismatch;
    EXPECT_THAT(refused(detail), HasSubstr("it ended as `mismatch`"));
}

}  // namespace
}  // namespace kernelgen

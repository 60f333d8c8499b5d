// SPDX-License-Identifier: Apache-2.0
#include "core/bench/output_watch.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

TEST(AJudgementOfTimedCalls, CallsOutputsWrongOnlyWhereTheyWereFoundWrong) {
    CaseAccuracy judged;
    EXPECT_TRUE(failure_of(judged, "mine", 1).ok());
    judged.status = Status::mismatch;
    judged.reason = "out[0] is 1";
    const TimingFailure wrong = failure_of(judged, "mine", 1);
    EXPECT_EQ(wrong.side, 1);
    EXPECT_THAT(wrong.reason, HasSubstr("the outputs of a timed call of `mine` are wrong"));
    judged.status = Status::cancelled;
    judged.reason = "stopped while outputs were judged";
    const TimingFailure stopped = failure_of(judged, "mine", 1);
    EXPECT_EQ(stopped.status, Status::cancelled);
    EXPECT_EQ(stopped.side, -1);
    EXPECT_EQ(stopped.reason, "stopped while outputs were judged");
}

}  // namespace
}  // namespace kernelgen

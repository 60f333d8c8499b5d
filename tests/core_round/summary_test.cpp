// SPDX-License-Identifier: Apache-2.0
#include "core/round/summary.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

ProjectSummary with_speedup(double speedup, double lower) {
    ProjectSummary summary;
    summary.round.emplace();
    RoundCase& timed = summary.round->cases.emplace_back();
    timed.seconds = 1;
    timed.speedup = speedup;
    timed.speedup_lower = lower;
    return summary;
}

TEST(Summary, CountsFastOnesAmongAllProjects) {
    FolderSummary summary;
    summary.projects = {with_speedup(2.5, 2.4), with_speedup(1.2, 0.9), with_speedup(0.8, 0.7), {}};
    summary.projects[2].round->status = Status::mismatch;
    EXPECT_EQ(summary.tried(), 3);
    EXPECT_EQ(summary.right(), 2);
    EXPECT_EQ(summary.faster(), 1);
    EXPECT_DOUBLE_EQ(summary.fast(1.0), 0.5);
    EXPECT_DOUBLE_EQ(summary.fast(2.0), 0.25);
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/time_model.h"

#include <gmock/gmock.h>

#include <cmath>

namespace kernelgen {
namespace {

using ::testing::DoubleNear;

/// A call of so many bytes on a device that moves one a nanosecond and needs 10 us for each start.
TimedSample call(const std::string& kernel, double bytes, double seconds) {
    return {.kernel = kernel,
            .binding = {"", DType::f32, {{"N", static_cast<std::int64_t>(bytes)}}},
            .seconds = seconds,
            .memory = bytes * 1e-9,
            .starts = 10e-6};
}

/// As a kernel takes that moves bytes at 1 / 1.1 of the device's rate and starts as the device does.
TimedSample memory_bound(double bytes) { return call("copy", bytes, 1.1e-9 * bytes + 10e-6); }

TEST(TimeModel, IsTheRooflineAloneWhereTooFewCasesWereTimed) {
    const TimedSample sample = call("copy", 1e6, 4e-3);
    const TimeModel model({sample, sample, sample});  // of one kernel on one case
    EXPECT_TRUE(model.is_roofline_alone());
    EXPECT_EQ(model.samples(), 1u);
    EXPECT_EQ(model.leave_one_out_error(), 0);
    const TimeParts parts = model.parts(sample);
    EXPECT_DOUBLE_EQ(parts.memory, 1e-3);
    EXPECT_DOUBLE_EQ(parts.own, 4e-3 - 1e-3 - 10e-6);
}

TEST(TimeModel, PredictsACaseThatItWasNotFittedTo) {
    const TimeModel model({memory_bound(1e5), memory_bound(1e6), memory_bound(1e7), memory_bound(1e8)});
    EXPECT_LT(model.leave_one_out_error(), 0.03);
    const TimedSample other = memory_bound(3e6);
    EXPECT_NEAR(model.seconds(other) / other.seconds, 1, 0.03);
}

TEST(TimeModel, StatesTheErrorOfTimesThatFollowNoRule) {
    const TimeModel model({call("copy", 1e6, 1e-3), call("copy", 1e6 + 1, 3e-3), call("copy", 1e6 + 2, 1e-3),
                           call("copy", 1e6 + 3, 3e-3)});
    EXPECT_GT(model.leave_one_out_error(), 0.3);
}

TEST(TimeModel, GivesAKernelsOwnCodeWhatItsBytesDoNotTake) {
    const TimedSample slow = call("slow", 1e7, 50e-3);
    const TimeModel model({memory_bound(1e6), memory_bound(1e7), memory_bound(1e8), slow, call("slow", 2e7, 100e-3)});
    EXPECT_THAT(model.parts(slow).own, DoubleNear(39e-3, 2e-3));
    EXPECT_THAT(model.parts(memory_bound(1e8)).memory, DoubleNear(110e-3, 3e-3));
}

TEST(TimeModel, HasPartsThatSumToWhatWasMeasured) {
    const TimeModel model({memory_bound(1e5), memory_bound(1e6), memory_bound(1e7)});
    for (const double seconds : {0.2e-3, 1e-3, 9e-3}) {
        TimedSample sample = call("copy", 1e6, seconds);
        sample.tail = 0.25;
        EXPECT_NEAR(model.parts(sample).sum(), 0.75 * seconds, 1e-9);
    }
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/residency.h"

#include <gmock/gmock.h>

#include "core/measure/metrics.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

/// A round on an H200 whose blocks of 256 threads use so many registers a thread.
RoundDetail round_with(double registers) {
    RoundDetail round;
    round.environment.hardware = "NVIDIA H200";
    round.verification.builds[DType::f32].resources = {{metrics::registers.name, registers},
                                                       {metrics::threads_per_block.name, 256}};
    return round;
}

TEST(Residency, IsHalfWithHalfOfTheRegistersWhereTheseLimit) {
    const Residency half = residency_with(round_with(64), DType::f32, {{Resource::registers, 0.5}}).value();
    EXPECT_EQ(half.now, 32);
    EXPECT_EQ(half.then, 16);
    EXPECT_EQ(half.limiter, "registers");
}

TEST(Residency, StaysWhereAnotherResourceLimits) {
    const Residency half = residency_with(round_with(16), DType::f32, {{Resource::registers, 0.5}}).value();
    EXPECT_EQ(half.now, half.then);
}

TEST(Residency, SaysThatABlockDoesNotStartAnyLonger) {
    const auto none = residency_with(round_with(255), DType::f32, {{Resource::registers, 0.25}});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("cannot start there as it is"));
}

TEST(Residency, SaysWhatTheRoundDoesNotHave) {
    RoundDetail bare;
    bare.environment.hardware = "NVIDIA H200";
    EXPECT_THAT(residency_with(bare, DType::f32, {{Resource::registers, 0.5}}).error().message,
                HasSubstr("`kernelgen run` makes a round that has"));
    bare.environment.hardware = "Another GPU";
    EXPECT_THAT(residency_with(bare, DType::f32, {{Resource::registers, 0.5}}).error().message,
                HasSubstr("no installed device model is `Another GPU`"));
}

TEST(HeldBack, HoldsAsManyWarpsAsTheOtherDeviceByMoreSharedMemory) {
    const HeldBack half = held_back(round_with(64), DType::f32, {{Resource::registers, 0.5}}).value();
    EXPECT_EQ(half.warps.now, 32);
    EXPECT_EQ(half.warps.then, 16);  // 2 blocks of 4: each has more than a third of 228 KiB
    EXPECT_GT(half.more_shared_bytes, 228 * 1024 / 3 - 1024 - 128);
    EXPECT_LE(half.more_shared_bytes, 228 * 1024 / 2 - 1024);
}

TEST(HeldBack, IsNothingWhereAsManyBlocksFit) {
    EXPECT_EQ(held_back(round_with(16), DType::f32, {{Resource::registers, 0.5}}).value().more_shared_bytes, 0);
}

TEST(HeldBack, ReachesASingleBlock) {
    const HeldBack one = held_back(round_with(64), DType::f32, {{Resource::threads, 0.125}}).value();
    EXPECT_EQ(one.warps.then, 8);
}

TEST(HeldBack, SaysWhatTheOtherDeviceCannotStart) {
    EXPECT_THAT(held_back(round_with(255), DType::f32, {{Resource::registers, 0.25}}).error().message,
                HasSubstr("cannot start there as it is"));
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/time_budget.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/measure/device_lock.h"

namespace kernelgen {
namespace {

constexpr double never = 1e6;  ///< seconds

/// Waits until work is cut off; false where it is not within a minute.
bool waits_for_cut(const TimeBudget& time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any nothing;
    nothing.wait_for(lock, time.cut(), std::chrono::minutes(1), [] { return false; });
    return time.cut().stop_requested();
}

TEST(TimeBudget, CutsOffWhatTakesMuchLonger) {
    const TimeBudget time(0.1, {});
    EXPECT_FALSE(time.cut().stop_requested());
    ASSERT_TRUE(waits_for_cut(time));
    EXPECT_GE(time.spent(), TimeBudget::least_overrun_seconds);
    EXPECT_LT(time.left(), 0);
}

TEST(TimeBudget, StandsStillWhileAllWorkersWait) {
    const TimeBudget time(never, {});
    const int one = 0, other = 0;
    const std::string waiting = std::string(waiting_for_lock) + " race";
    time.take_stage(&one, waiting, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(time.waited(), 0);
    time.take_stage(&other, waiting, 2);
    const double spent = time.spent(), until_cut = time.left_until_cut();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_NEAR(time.spent(), spent, 0.01);
    EXPECT_NEAR(time.left_until_cut(), until_cut, 0.01);
    time.take_stage(&other, "race", 2);
    const double waited = time.waited();
    EXPECT_GE(waited, 0.2);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(time.waited(), waited);
}

TEST(TimeBudget, EndsWhereTheUserStops) {
    std::stop_source user;
    const TimeBudget time(never, user.get_token());
    EXPECT_FALSE(time.cut().stop_requested());
    user.request_stop();
    EXPECT_TRUE(time.cut().stop_requested());
}

TEST(NightlyTimeBudget, OfAPartMayBeOverrunAsLongAsTheWholeIsNot) {
    const TimeBudget whole(0.2, {}), part(0.01, whole), other(never, whole);
    ASSERT_TRUE(waits_for_cut(part));
    EXPECT_GE(part.spent(), 0.2);
    EXPECT_TRUE(waits_for_cut(other));
    EXPECT_LT(other.left_until_cut(), 0.1);
}

}  // namespace
}  // namespace kernelgen

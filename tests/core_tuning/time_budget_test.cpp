// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/time_budget.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

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

TEST(TimeBudget, EndsWhereTheUserStops) {
    std::stop_source user;
    const TimeBudget time(never, user.get_token());
    EXPECT_FALSE(time.cut().stop_requested());
    user.request_stop();
    EXPECT_TRUE(time.cut().stop_requested());
}

TEST(TimeBudget, OfAPartMayBeOverrunAsLongAsTheWholeIsNot) {
    const TimeBudget whole(0.2, {}), part(0.01, whole), other(never, whole);
    ASSERT_TRUE(waits_for_cut(part));
    EXPECT_GE(part.spent(), 0.2);
    EXPECT_TRUE(waits_for_cut(other));
    EXPECT_LT(other.left_until_cut(), 0.1);
}

}  // namespace
}  // namespace kernelgen

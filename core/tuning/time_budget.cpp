// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/time_budget.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace kernelgen {

namespace {

constexpr double longest = 1e8;  ///< seconds, three years: a clock's range holds them

std::chrono::steady_clock::duration as_duration(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(std::clamp(seconds, 0.0, longest)));
}

}  // namespace

TimeBudget::TimeBudget(double seconds, std::stop_token stop)
    : TimeBudget(seconds, std::move(stop),
                 Clock::now() + as_duration(std::max(most_overrun * seconds, seconds + least_overrun_seconds))) {}

TimeBudget::TimeBudget(double seconds, const TimeBudget& whole) : TimeBudget(seconds, whole.stop_, whole.end_) {}

TimeBudget::TimeBudget(double seconds, std::stop_token stop, Clock::time_point end)
    : seconds_(seconds),
      end_(end),
      stop_(std::move(stop)),
      on_stop_(stop_, [this] { cut_.request_stop(); }),
      timer_([this](std::stop_token done) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any never;
          never.wait_until(lock, done, end_, [] { return false; });
          if (!done.stop_requested()) cut_.request_stop();
      }) {}

double TimeBudget::spent() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

double TimeBudget::left_until_cut() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

}  // namespace kernelgen

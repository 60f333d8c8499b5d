// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/time_budget.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/measure/device_lock.h"

namespace kernelgen {

namespace {

constexpr double longest = 1e8;  ///< seconds, three years: a clock's range holds them

std::chrono::steady_clock::duration as_duration(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(std::clamp(seconds, 0.0, longest)));
}

}  // namespace

void WaitClock::take(const void* worker, bool waits, int workers) {
    const std::lock_guard lock(mutex_);
    if (waits) waiting_.insert(worker);
    else waiting_.erase(worker);
    const bool do_all = !waiting_.empty() && std::cmp_greater_equal(waiting_.size(), workers);
    if (do_all && !since_) since_ = Clock::now();
    if (do_all || !since_) return;
    before_ += std::chrono::duration<double>(Clock::now() - *since_).count();
    since_.reset();
}

double WaitClock::seconds() const {
    const std::lock_guard lock(mutex_);
    return before_ + (since_ ? std::chrono::duration<double>(Clock::now() - *since_).count() : 0);
}

bool WaitClock::is_waiting() const {
    const std::lock_guard lock(mutex_);
    return since_.has_value();
}

TimeBudget::TimeBudget(double seconds, std::stop_token stop)
    : TimeBudget(seconds, std::move(stop),
                 Clock::now() + as_duration(std::max(most_overrun * seconds, seconds + least_overrun_seconds)),
                 std::make_shared<WaitClock>()) {}

TimeBudget::TimeBudget(double seconds, const TimeBudget& whole)
    : TimeBudget(seconds, whole.stop_, whole.end_, whole.waits_) {}

TimeBudget::TimeBudget(double seconds, std::stop_token stop, Clock::time_point end, std::shared_ptr<WaitClock> waits)
    : seconds_(seconds),
      waits_(std::move(waits)),
      waited_before_(waits_->seconds()),
      end_(end),
      stop_(std::move(stop)),
      on_stop_(stop_, [this] { cut_.request_stop(); }),
      timer_([this](std::stop_token done) { cut_in_time(done); }) {}

/// While all wait, `left_until_cut` stands still, so it is looked at again.
void TimeBudget::cut_in_time(const std::stop_token& done) {
    constexpr double shortest = 0.05;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    for (double left = left_until_cut(); left > 0 && !done.stop_requested(); left = left_until_cut()) {
        const double pause = waits_->is_waiting() ? std::max(left, shortest) : left;
        never.wait_for(lock, done, as_duration(pause), [] { return false; });
    }
    if (!done.stop_requested()) cut_.request_stop();
}

double TimeBudget::spent() const { return std::chrono::duration<double>(Clock::now() - begin_).count() - waited(); }

double TimeBudget::left_until_cut() const {
    return std::chrono::duration<double>(end_ - Clock::now()).count() + waits_->seconds();
}

double TimeBudget::waited() const { return waits_->seconds() - waited_before_; }

void TimeBudget::take_stage(const void* worker, std::string_view stage, int workers) const {
    waits_->take(worker, stage.starts_with(waiting_for_lock), workers);
}

}  // namespace kernelgen

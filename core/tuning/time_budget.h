// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>
#include <thread>

namespace kernelgen {

/// For how long no worker of a command could work, because others build or measure on its device. Thread safe.
class WaitClock {
public:
    /// Whether this worker, of so many, waits from now on.
    void take(const void* worker, bool waits, int workers);
    double seconds() const;
    bool is_waiting() const;

private:
    using Clock = std::chrono::steady_clock;
    mutable std::mutex mutex_;
    std::set<const void*> waiting_;
    std::optional<Clock::time_point> since_;  ///< while all wait
    double before_ = 0;                       ///< seconds until then
};

/// The time that a command, or a part of it, may take from now on. Before a piece of work begins, its caller asks how
/// much time is left. Work at hand is cut off at `most_overrun` times the budget of the whole, but not before
/// `least_overrun_seconds` more than the budget: in a shorter time nothing could be shown. The time for which
/// all workers wait for others that use the device does not count. Thread safe.
class TimeBudget {
public:
    static constexpr double most_overrun = 1.2, least_overrun_seconds = 10;

    /// `stop`: the user's, which cuts work off at once.
    TimeBudget(double seconds, std::stop_token stop);
    /// A part of `whole`: what it takes longer than planned is at the cost of the parts that follow.
    TimeBudget(double seconds, const TimeBudget& whole);

    double seconds() const { return seconds_; }
    double spent() const;                               ///< seconds
    double left() const { return seconds_ - spent(); }  ///< seconds; below 0 where more is spent
    double left_until_cut() const;                      ///< seconds
    double waited() const;                              ///< seconds, which are not in `spent`
    /// Takes note of a worker's stage of progress, which may say that it waits; `workers`: how many are alive.
    void take_stage(const void* worker, std::string_view stage, int workers) const;
    /// The token by which all work of this budget is cut off.
    std::stop_token cut() const { return cut_.get_token(); }

private:
    using Clock = std::chrono::steady_clock;
    TimeBudget(double seconds, std::stop_token stop, Clock::time_point end, std::shared_ptr<WaitClock> waits);
    void cut_in_time(const std::stop_token& done);

    const double seconds_;
    const std::shared_ptr<WaitClock> waits_;  ///< of the whole
    const double waited_before_;
    const Clock::time_point begin_ = Clock::now(), end_;
    const std::stop_token stop_;
    std::stop_source cut_;
    std::stop_callback<std::function<void()>> on_stop_;
    std::jthread timer_;  ///< last, so that it ends before what it uses
};

}  // namespace kernelgen

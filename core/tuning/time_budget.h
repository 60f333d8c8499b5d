// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

namespace kernelgen {

/// The time that a command, or a part of it, may take from now on. Before a piece of work begins, its caller asks how
/// much time is left. Work at hand is cut off at `most_overrun` times the budget of the whole, but not before
/// `least_overrun_seconds` more than the budget: in a shorter time nothing could be shown. Thread safe.
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
    /// The token by which all work of this budget is cut off.
    std::stop_token cut() const { return cut_.get_token(); }

private:
    using Clock = std::chrono::steady_clock;
    TimeBudget(double seconds, std::stop_token stop, Clock::time_point end);

    const double seconds_;
    const Clock::time_point begin_ = Clock::now(), end_;
    const std::stop_token stop_;
    std::stop_source cut_;
    std::stop_callback<std::function<void()>> on_stop_;
    std::jthread timer_;  ///< last, so that it ends before what it uses
};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace kernelgen {

/// A half-open range of units of work.
struct Range {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Hands out the units [0, total) to threads, `step` units at a time, in order. Hands out nothing more after `stop` was
/// requested or `end` was called.
class Claims {
public:
    Claims(std::int64_t total, std::int64_t step, std::stop_token stop) : total_(total), step_(step), stop_(stop) {}

    std::optional<Range> next();
    void end() { ended_ = true; }
    std::int64_t count() const { return (total_ + step_ - 1) / step_; }

private:
    std::int64_t total_, step_;
    std::stop_token stop_;
    std::atomic<std::int64_t> next_ = 0;
    std::atomic<bool> ended_ = false;
};

/// Calls `thread`, which takes claims until there are none, on as many threads as there are cores (at most as many as
/// there are claims); one of them is the caller's thread. The first exception of a thread ends the claims and is thrown
/// here.
void on_all_cores(Claims& claims, const std::function<void(Claims&)>& thread);

}  // namespace kernelgen

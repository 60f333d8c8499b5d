// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace kernelgen {

/// Threads of this process that copy memory while a kernel runs in another process, and so take a part of the memory's
/// bandwidth. A thread that shares its CPU with the kernel's takes that part of the CPU's time, too.
class MemoryNeighbour {
public:
    /// `threads_each` threads on each of these CPUs. Between `start` and `rest` they work; else they sleep.
    MemoryNeighbour(std::span<const int> cpus, int threads_each);
    ~MemoryNeighbour();
    MemoryNeighbour(const MemoryNeighbour&) = delete;

    int threads() const { return static_cast<int>(workers_.size()); }
    /// The threads of each CPU are to work for this share of its time, above 0, at most 1. Each works in short bursts.
    void set_duty(double duty) { duty_ = duty; }
    void start();
    /// Returns when none works any longer.
    void rest();
    /// Bytes read and written since `start`.
    double moved_bytes() const { return static_cast<double>(moved_.load()); }

private:
    class Ring;
    void live(const std::stop_token& stop, int cpu);
    void work(std::uint32_t state, Ring& ring);

    const int threads_each_;
    std::atomic<double> duty_{1};
    std::atomic<std::uint32_t> works_{0};  ///< odd while they work
    std::atomic<int> working_{0};
    std::atomic<std::int64_t> moved_{0};
    std::vector<std::jthread> workers_;  ///< last, so that they end first
};

}  // namespace kernelgen

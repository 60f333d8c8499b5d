// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace kernelgen {

/// The CPUs that this process may use, ascending.
std::vector<int> allowed_cpus();

/// Threads, each pinned to one CPU; the caller is the first of them and is pinned too. Between runs they sleep. Between
/// `arm` and `disarm` some spin, so that a run starts within a microsecond on all of them.
class ThreadPool {
public:
    explicit ThreadPool(const std::vector<int>& cpus);
    ~ThreadPool();

    int size() const { return static_cast<int>(workers_.size()) + 1; }
    std::span<const int> thread_ids() const { return thread_ids_; }  ///< the system's thread ids

    /// Returns when `threads` of them spin, the caller included; the others sleep, and leave their CPUs to threads that
    /// a kernel has started. Pins all of these again, since OpenMP changes the affinity of who enters a region.
    void arm(int threads);
    void disarm();

    /// Calls task(0) … task(threads − 1), each in its own thread, and waits for all. `threads` is at most `size()`. An
    /// exception from a task ends the process.
    void run(int threads, const std::function<void(int)>& task) noexcept;

private:
    void loop(int index);
    void wake();

    const std::function<void(int)>* task_ = nullptr;
    std::atomic<std::uint32_t> signal_{0};  ///< changes whenever sleepers should look
    std::atomic<std::uint64_t> run_{0};     ///< number of the last run, times `most_threads`, and its threads
    std::atomic<int> unfinished_{0};
    std::atomic<int> spinning_{0};
    std::atomic<int> armed_{0};  ///< threads that are to spin
    std::atomic<bool> ending_{false};
    std::vector<int> cpus_;
    std::vector<int> thread_ids_;
    std::vector<std::thread> workers_;
};

}  // namespace kernelgen

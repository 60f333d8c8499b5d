// SPDX-License-Identifier: Apache-2.0
#include "core/host/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>

namespace kernelgen {
namespace {

constexpr std::uint64_t most_threads = 1 << 20;

void pin_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

std::vector<int> allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
        }
    }
    if (cpus.empty()) cpus.push_back(0);
    return cpus;
}

ThreadPool::ThreadPool(const std::vector<int>& cpus) : cpus_(cpus), thread_ids_(cpus.size()) {
    std::atomic<int> started = 0;
    for (std::size_t i = 1; i < cpus.size(); ++i) {
        workers_.emplace_back([this, i, &started] {
            pin_to(cpus_[i]);
            thread_ids_[i] = static_cast<int>(::gettid());
            started.fetch_add(1);
            started.notify_one();
            loop(static_cast<int>(i));
        });
    }
    pin_to(cpus[0]);
    thread_ids_[0] = static_cast<int>(::gettid());
    for (int seen = started; seen < size() - 1; seen = started) started.wait(seen);
}

ThreadPool::~ThreadPool() {
    ending_ = true;
    armed_ = 0;
    wake();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::wake() {
    signal_.fetch_add(1, std::memory_order_release);
    signal_.notify_all();
}

void ThreadPool::arm(int threads) {
    threads = std::clamp(threads, 1, size());
    pin_to(cpus_[0]);
    armed_ = threads;
    wake();
    while (spinning_.load(std::memory_order_acquire) < threads - 1) relax();
}

void ThreadPool::disarm() {
    armed_ = 0;
    while (spinning_.load(std::memory_order_acquire) > 0) relax();
}

void ThreadPool::run(int threads, const std::function<void(int)>& task) noexcept {
    threads = std::clamp(threads, 1, size());
    task_ = &task;
    unfinished_.store(threads - 1, std::memory_order_relaxed);
    const std::uint64_t number = run_.load(std::memory_order_relaxed) / most_threads + 1;
    run_.store(number * most_threads + static_cast<std::uint64_t>(threads), std::memory_order_release);
    if (armed_.load(std::memory_order_relaxed) < threads) wake();
    task(0);
    while (unfinished_.load(std::memory_order_acquire) > 0) relax();
}

/// A thread that takes no part in a run may sleep through it, and through any number of them.
void ThreadPool::loop(int index) {
    std::uint64_t done = 0;
    for (;;) {
        const std::uint32_t seen = signal_.load(std::memory_order_acquire);
        bool counted = false;
        while (run_.load(std::memory_order_acquire) == done && armed_.load(std::memory_order_acquire) > index) {
            if (!counted) {
                pin_to(cpus_[static_cast<std::size_t>(index)]);
                spinning_.fetch_add(1, std::memory_order_release);
                counted = true;
            }
            relax();
        }
        if (counted) spinning_.fetch_sub(1, std::memory_order_release);
        if (const std::uint64_t run = run_.load(std::memory_order_acquire); run != done) {
            done = run;
            if (static_cast<std::uint64_t>(index) >= run % most_threads) continue;
            (*task_)(index);
            unfinished_.fetch_sub(1, std::memory_order_release);
        } else if (ending_) {
            return;
        } else {
            signal_.wait(seen, std::memory_order_acquire);
        }
    }
}

}  // namespace kernelgen

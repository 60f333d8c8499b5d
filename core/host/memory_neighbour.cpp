// SPDX-License-Identifier: Apache-2.0
#include "core/host/memory_neighbour.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <memory>

namespace kernelgen {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t ring_bytes = 64 << 20;  ///< of each thread: more than its share of the caches
constexpr std::size_t piece_bytes = 64 << 10;
constexpr std::chrono::microseconds between_bursts{200};
constexpr double longest_burst = 2e-3;  ///< seconds: a thread that got no processor does not make up for all of it

void stay_on(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
    ::prctl(PR_SET_TIMERSLACK, 1000ul);  // sleeps end within a microsecond, where the kernel allows it
}

double seconds_worked() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

MemoryNeighbour::MemoryNeighbour(std::span<const int> cpus, int threads_each) : threads_each_(threads_each) {
    for (const int cpu : cpus) {
        for (int i = 0; i < threads_each; ++i)
            workers_.emplace_back([this, cpu](const std::stop_token& stop) { live(stop, cpu); });
    }
}

MemoryNeighbour::~MemoryNeighbour() {
    for (std::jthread& each : workers_) each.request_stop();
    works_.fetch_add(works_ % 2 == 0 ? 2 : 1);
    works_.notify_all();
}

void MemoryNeighbour::start() {
    moved_ = 0;
    works_.fetch_add(1);
    works_.notify_all();
    while (working_ < threads()) std::this_thread::yield();
}

void MemoryNeighbour::rest() {
    works_.fetch_add(1);
    while (working_ > 0) std::this_thread::sleep_for(between_bursts);
}

/// Memory of a thread, of which it copies one half to the other, again and again.
class MemoryNeighbour::Ring {
public:
    Ring() : memory_(std::make_unique_for_overwrite<char[]>(ring_bytes)) { std::memset(memory_.get(), 1, ring_bytes); }

    void copy_piece() {
        std::memcpy(memory_.get() + (place_ + ring_bytes / 2) % ring_bytes, memory_.get() + place_, piece_bytes);
        place_ = (place_ + piece_bytes) % ring_bytes;
    }

private:
    std::unique_ptr<char[]> memory_;
    std::size_t place_ = 0;
};

void MemoryNeighbour::live(const std::stop_token& stop, int cpu) {
    stay_on(cpu);
    Ring ring;
    while (!stop.stop_requested()) {
        const std::uint32_t state = works_;
        if (state % 2 == 0) {
            works_.wait(state);
            continue;
        }
        ++working_;
        work(state, ring);
        --working_;
    }
}

/// Copies memory whenever less work was done than the duty asks for in the time that has passed.
void MemoryNeighbour::work(std::uint32_t state, Ring& ring) {
    const Clock::time_point begin = Clock::now();
    double done = -seconds_worked();
    while (works_ == state) {
        const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
        const double wanted = passed * duty_ / threads_each_;
        if (wanted - done - seconds_worked() > longest_burst) done = wanted - seconds_worked() - longest_burst;
        while (done + seconds_worked() < wanted && works_ == state) {
            ring.copy_piece();
            moved_ += 2 * static_cast<std::int64_t>(piece_bytes);
        }
        if (duty_ < 1) std::this_thread::sleep_for(between_bursts);
    }
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/timer.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "gpu/cuda/device_kernel.h"

namespace kernelgen::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t stamp_words = 3;
constexpr auto hold_limit = std::chrono::milliseconds(1900);  // less than what `hold` waits (timing.cu)

constexpr const char* waits_for_device =
    "a call did not return within 2 s while the stream was held, so its time would be the host's too: it waits for the "
    "device (`.item()`, `torch.cuda.synchronize()`, a copy to the host), or launches far too much; remove that from "
    "what is timed";

Result<void> checked(Code code, const std::string& doing) {
    if (code == success) return {};
    return fail("timing: " + doing + ": " + error_text(code));
}

}  // namespace

Result<Timer> Timer::create(const Driver& driver, Stream stream, const TimingModule& kernels, std::size_t l2_bytes) {
    Timer timer(driver, stream, kernels);
    if (Result<void> allocated = timer.allocate(l2_bytes); !allocated) return std::unexpected(allocated.error());
    if (const Outcome warm = timer.warm_up(); !warm.ok()) return fail(warm.reason);
    timer.learn_idle_seconds();
    return timer;
}

Result<void> Timer::allocate(std::size_t l2_bytes) {
    for (Event* event : {&begin_, &end_}) {
        if (auto made = checked(driver_->create_event(event, 0), "making an event"); !made) return made;
    }
    // Two halves of the chip may each keep a copy of a line, so twice the size is read.
    Result<DeviceMemory> memory = DeviceMemory::allocate(*driver_, 2 * l2_bytes);
    if (!memory) return std::unexpected(memory.error());
    flushed_ = std::move(*memory);
    driver_->set_bytes(flushed_.address(), 0, flushed_.bytes(), stream_);
    const auto pin = [&](std::size_t bytes, auto*& host, Pointer& address) {
        void* pinned = nullptr;
        auto made = checked(driver_->allocate_host(&pinned, bytes, host_memory_mapped), "pinning memory");
        if (made) made = checked(driver_->host_pointer(&address, pinned, 0), "mapping pinned memory");
        host = static_cast<std::remove_reference_t<decltype(host)>>(pinned);
        return made;
    };
    if (auto made = pin(sizeof(std::int32_t), released_, released_address_); !made) return made;
    return pin(2 * stamp_words * sizeof(unsigned long long), stamps_, stamps_address_);
}

Outcome Timer::stamp(int index) const {
    const std::size_t bytes = stamp_words * sizeof(unsigned long long);
    return kernels_.stamp(stamps_address_ + static_cast<std::size_t>(index) * bytes, stream_);
}

/// Where the driver loads kernels when they are first launched, that would wait for a stream that is held.
Outcome Timer::warm_up() const {
    *released_ = 1;
    for (std::size_t i = 0; i < 2 * stamp_words; ++i) stamps_[i] = 0;  // also a patch of no bytes
    const Pointer target = stamps_address_;
    Outcome outcome = kernels_.hold(released_address_, stream_);
    if (outcome.ok()) outcome = kernels_.flush(flushed_, stream_);
    if (outcome.ok()) outcome = kernels_.enter_state(target, target, 0, target, 0, stream_);
    if (outcome.ok()) outcome = kernels_.checksum(target, 0, 0, target, stream_);
    if (outcome.ok()) outcome = stamp(0);
    return outcome.ok() ? outcome_of(driver_->synchronize_stream(stream_), "preparing a timing") : outcome;
}

Outcome Timer::put(const Parts& parts) const {
    Outcome outcome = parts.before(stream_);
    if (outcome.ok() && parts.flush) outcome = kernels_.flush(flushed_, stream_);
    if (outcome.ok()) outcome = stamp(0);
    if (outcome.ok()) outcome = outcome_of(driver_->record_event(begin_, stream_), "recording an event");
    if (outcome.ok()) outcome = parts.work(stream_);
    if (outcome.ok()) outcome = outcome_of(driver_->record_event(end_, stream_), "recording an event");
    return outcome.ok() ? stamp(1) : outcome;
}

/// The median of a few waits.
void Timer::learn_idle_seconds() {
    constexpr int waits = 15;
    std::vector<double> seconds;
    for (int i = 0; i < waits; ++i) {
        const Clock::time_point start = Clock::now();
        driver_->synchronize();
        seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::ranges::sort(seconds);
    idle_seconds_ = seconds[waits / 2];
}

Outcome Timer::time(const Parts& parts, Reading& reading) {
    *released_ = 0;
    const Clock::time_point start = Clock::now();
    if (const Outcome held = kernels_.hold(released_address_, stream_); !held.ok()) return held;
    const Outcome put_in = put(parts);
    const Clock::duration held_for = Clock::now() - start;
    *released_ = 1;
    const Code code = driver_->synchronize_stream(stream_);
    const Clock::time_point done = Clock::now();
    if (!put_in.ok()) return put_in;
    if (code != success) return outcome_of(code, "the kernel");
    if (held_for >= hold_limit) return {Status::launch_failed, waits_for_device};
    if (const Code left = driver_->synchronize(); left != success) return outcome_of(left, "the kernel");
    const std::chrono::duration<double> left_over = Clock::now() - done;
    float milliseconds = 0;
    if (const Code elapsed = driver_->elapsed_ms(&milliseconds, begin_, end_); elapsed != success)
        return outcome_of(elapsed, "reading events");
    reading = {static_cast<double>(milliseconds) * 1e-3, clock_mhz(), left_over.count() - idle_seconds_};
    if (const Outcome after = parts.after(stream_); !after.ok()) return after;
    return outcome_of(driver_->synchronize_stream(stream_), "the kernel");
}

/// Cycles over nanoseconds between the stamps, where one multiprocessor made both.
double Timer::clock_mhz() const {
    const volatile unsigned long long* first = stamps_;
    const volatile unsigned long long* last = stamps_ + stamp_words;
    constexpr unsigned long long shortest_ns = 20000;  // the device's timer may tick only every microsecond
    const unsigned long long elapsed = last[0] - first[0];
    if (first[2] != last[2] || elapsed < shortest_ns) return 0;
    return static_cast<double>(last[1] - first[1]) / static_cast<double>(elapsed) * 1e3;
}

}  // namespace kernelgen::cuda

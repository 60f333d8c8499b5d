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

Result<Timer> Timer::create(const DeviceContext& context, const TimingModule& kernels) {
    Timer timer(context, kernels);
    if (Result<void> allocated = timer.allocate(context.l2_bytes); !allocated)
        return std::unexpected(allocated.error());
    if (const Outcome warm = timer.warm_up(); !warm.ok()) return fail(warm.reason);
    return timer;
}

Result<void> Timer::allocate(std::size_t l2_bytes) {
    for (Event* event : {&begin_, &end_, &joining_, &joined_}) {
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

/// Launches each of the timing kernels once. The driver may load kernels only when they are first launched, and that
/// would wait for a stream that is held.
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

/// Puts in all up to the end of the work.
Outcome Timer::put_work(const Parts& parts) const {
    Outcome outcome = parts.before(stream_);
    if (outcome.ok() && parts.flush) outcome = kernels_.flush(flushed_, stream_);
    if (outcome.ok()) outcome = parts.ready(stream_);
    if (outcome.ok()) outcome = stamp(0);
    if (outcome.ok()) outcome = outcome_of(driver_->record_event(begin_, stream_), "recording an event");
    if (outcome.ok()) outcome = parts.work(stream_);
    return outcome.ok() ? outcome_of(driver_->record_event(end_, stream_), "recording an event") : outcome;
}

/// As `put_work`, beside the neighbour, which ends in any case.
Outcome Timer::put_beside(const DeviceNeighbour& neighbour, const Parts& parts) const {
    Outcome outcome = neighbour.start(parts.neighbour_gbps);
    if (outcome.ok()) outcome = put_work(parts);
    const Outcome ended = neighbour.end(stream_);
    return outcome.ok() ? ended : outcome;
}

Outcome Timer::put(const Parts& parts) const {
    Outcome outcome = parts.neighbour != nullptr ? put_beside(*parts.neighbour, parts) : put_work(parts);
    if (outcome.ok()) outcome = join();
    return outcome.ok() ? stamp(1) : outcome;
}

/// Lets the stream wait for all that is now in any stream of the context, and records when that is done.
Outcome Timer::join() const {
    if (driver_->record_context_event == nullptr) return {};
    Code code = driver_->record_context_event(context_, joining_);
    if (code == success) code = driver_->wait_event(stream_, joining_, 0);
    if (code == success) code = driver_->record_event(joined_, stream_);
    return outcome_of(code, "waiting for the call's other streams");
}

/// The medians of a few readings.
Outcome Timer::calibrate() {
    constexpr std::size_t readings = 15;
    join_seconds_ = idle_seconds_ = 0;
    const Work nothing = [](Stream) { return Outcome{}; };
    std::vector<double> joins, waits;
    for (std::size_t i = 0; i < readings; ++i) {
        Reading reading;
        if (const Outcome timed = time({nothing, false, nothing, nothing, nothing}, reading); !timed.ok()) return timed;
        joins.push_back(reading.tail_seconds);
        waits.push_back(reading.left_seconds);
    }
    std::ranges::sort(joins);
    std::ranges::sort(waits);
    join_seconds_ = joins[readings / 2];
    idle_seconds_ = waits[readings / 2];
    return {};
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
    reading.left_seconds = left_over.count() - idle_seconds_;
    if (const Outcome read_out = read(reading); !read_out.ok()) return read_out;
    if (parts.neighbour != nullptr) {
        reading.seconds -= reading.tail_seconds;  // the neighbour's end
        reading.tail_seconds = 0;
    }
    if (const Outcome after = parts.after(stream_); !after.ok()) return after;
    return outcome_of(driver_->synchronize_stream(stream_), "the kernel");
}

/// Reads the times that the events have recorded.
Outcome Timer::read(Reading& reading) const {
    float work = 0, tail = 0;
    Code code = driver_->elapsed_ms(&work, begin_, end_);
    if (code == success && driver_->record_context_event != nullptr) code = driver_->elapsed_ms(&tail, end_, joined_);
    if (code != success) return outcome_of(code, "reading events");
    reading.tail_seconds = std::max(0.0, static_cast<double>(tail) * 1e-3 - join_seconds_);
    reading.seconds = static_cast<double>(work) * 1e-3 + reading.tail_seconds;
    reading.clock_mhz = clock_mhz();
    return {};
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/backend/executor.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// One timing.
struct Reading {
    double seconds = 0;    ///< between the events around the work
    double clock_mhz = 0;  ///< of a multiprocessor over that time; 0 where it could not be told
};

/// Times work on a stream by events, with a cold or warm L2 and the launches' overhead left out: the stream is held
/// until everything is in it.
class Timer {
public:
    /// `cubin`: resources/cuda/timing.cu as built for this device. Errors: what the driver refuses.
    static Result<Timer> create(const Driver& driver, Stream stream, const std::string& cubin, std::size_t l2_bytes);
    Timer(Timer&& other) noexcept = default;

    using Work = std::function<Outcome(Stream)>;
    /// `before` is put into the stream ahead of the flush, and is not timed.
    Outcome time(const Work& before, bool flush, const Work& work, Reading& reading);

private:
    explicit Timer(const Driver& driver, Stream stream) : driver_(&driver), stream_(stream) {}
    Result<void> load(const std::string& cubin);
    Result<void> allocate(std::size_t l2_bytes);
    Outcome launch(Function function, unsigned blocks, unsigned threads, void** parameters) const;
    Outcome stamp(int index) const;
    Outcome launch_flush() const;
    Outcome warm_up() const;
    Outcome put(const Work& before, bool flush, const Work& work) const;
    double clock_mhz() const;

    const Driver* driver_;
    Stream stream_;
    Function hold_ = nullptr, flush_ = nullptr, stamp_ = nullptr;
    Event begin_ = nullptr, end_ = nullptr;
    DeviceMemory flushed_;                           ///< read to flush
    volatile std::int32_t* released_ = nullptr;      ///< pinned: set to let the stream go
    volatile unsigned long long* stamps_ = nullptr;  ///< pinned: two of three numbers
    Pointer released_address_ = 0, stamps_address_ = 0;
};

}  // namespace kernelgen::cuda

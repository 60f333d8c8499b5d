// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/backend/outcome.h"
#include "gpu/cuda/context.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/device_neighbour.h"
#include "gpu/cuda/timing_module.h"

namespace kernelgen::cuda {

/// One timing.
struct Reading {
    double seconds = 0;       ///< from the start of `work` until all streams of the context are done
    double tail_seconds = 0;  ///< the part of `seconds` after the end of the work's own stream
    double left_seconds = 0;  ///< for how long the device worked after `seconds`, by the host's clock
    double clock_mhz = 0;     ///< the multiprocessors' clock during `seconds`; 0 where it is unknown
};

/// Times work on a stream by events, with a cold or warm L2. The stream is held until all work is in it, so the
/// overhead of launches is not timed.
class Timer {
public:
    /// Errors: what the driver refuses.
    static Result<Timer> create(const DeviceContext& context, const TimingModule& kernels);
    Timer(Timer&& other) noexcept = default;

    /// Measures what joining the context's streams and waiting for the device take when there is nothing to do. Streams
    /// that the sides have made by then count.
    Outcome calibrate();

    using Work = std::function<Outcome(Stream)>;
    /// The work that is put into the stream. Only `work` is timed; `after` runs when the whole device is done.
    struct Parts {
        Work before;  ///< runs before the flush
        bool flush = true;
        Work ready;  ///< runs right before the time begins
        Work work;
        Work after;
        /// Takes bandwidth while all of this runs. Then only the time of the work's own stream counts.
        const DeviceNeighbour* neighbour = nullptr;
        double neighbour_gbps = 0;
    };
    Outcome time(const Parts& parts, Reading& reading);

private:
    Timer(const DeviceContext& context, const TimingModule& kernels)
        : driver_(context.driver), context_(context.context), stream_(context.stream), kernels_(kernels) {}
    Result<void> allocate(std::size_t l2_bytes);
    Outcome stamp(int index) const;
    Outcome warm_up() const;
    Outcome put(const Parts& parts) const;
    Outcome put_beside(const DeviceNeighbour& neighbour, const Parts& parts) const;
    Outcome put_work(const Parts& parts) const;
    Outcome join() const;
    Outcome read(Reading& reading) const;
    double clock_mhz() const;

    const Driver* driver_;
    Context context_;
    Stream stream_;
    TimingModule kernels_;
    Event begin_ = nullptr, end_ = nullptr;
    Event joining_ = nullptr, joined_ = nullptr;  ///< all streams are done; recorded in the context, and in `stream_`
    double join_seconds_ = 0;                     ///< from `end_` to `joined_` where there is nothing to join
    double idle_seconds_ = 0;                     ///< for how long the host waits for an idle device
    DeviceMemory flushed_;                        ///< is read to flush the L2
    volatile std::int32_t* released_ = nullptr;   ///< pinned memory: set to release the stream
    volatile unsigned long long* stamps_ = nullptr;  ///< pinned memory: two stamps of three numbers
    Pointer released_address_ = 0, stamps_address_ = 0;
};

}  // namespace kernelgen::cuda

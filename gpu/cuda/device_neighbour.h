// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/cuda/context.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/timing_module.h"

namespace kernelgen::cuda {

/// Blocks that fetch memory into the L2 on a stream of their own while another kernel is timed, and so take a part of
/// the memory's bandwidth: one warp on each multiprocessor.
class DeviceNeighbour {
public:
    /// Errors: what the driver refuses.
    static Result<DeviceNeighbour> create(const DeviceContext& context, const TimingModule& kernels);

    /// Starts the blocks, which fetch so many bytes a second (1e9) until `end`, and waits until they run.
    Outcome start(double gbps) const;
    /// Puts into the stream: the blocks end.
    Outcome end(Stream stream) const;

private:
    DeviceNeighbour(const Driver* driver, const TimingModule& kernels) : driver_(driver), kernels_(kernels) {}
    Result<void> allocate(const DeviceContext& context);
    Outcome launch(double gbps) const;

    const Driver* driver_;
    TimingModule kernels_;
    Stream stream_ = nullptr;
    unsigned blocks_ = 0;
    DeviceMemory ring_;                         ///< what is fetched
    DeviceMemory ended_;                        ///< a number; not 0 ends the blocks
    volatile std::int32_t* running_ = nullptr;  ///< pinned memory
    Pointer running_address_ = 0;
};

}  // namespace kernelgen::cuda

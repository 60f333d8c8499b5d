// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/backend/outcome.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// The kernels that run before and after timed ones (resources/cuda/timing.cu explains each), put into a stream.
class TimingModule {
public:
    /// `cubin` was built for this device. It stays loaded until the process ends. Errors: the driver refuses it.
    static Result<TimingModule> load(const Driver& driver, const std::string& cubin);

    Outcome hold(Pointer released, Stream stream) const;
    Outcome flush(const DeviceMemory& memory, Stream stream) const;
    Outcome stamp(Pointer target, Stream stream) const;
    Outcome checksum(Pointer data, std::size_t bytes, std::uint64_t key, Pointer sum, Stream stream) const;
    Outcome enter_state(Pointer base, Pointer patches, unsigned count, Pointer contents, std::uint64_t state,
                        Stream stream) const;
    /// Works on until the number at `ended` is not 0. `bytes_per_ns`: of each block.
    Outcome neighbour(const DeviceMemory& memory, unsigned blocks, float bytes_per_ns, Pointer running, Pointer ended,
                      Stream stream) const;

private:
    explicit TimingModule(const Driver& driver) : driver_(&driver) {}
    Outcome launch(Function function, unsigned blocks, unsigned threads, void** parameters, Stream stream) const;

    const Driver* driver_;
    Function hold_ = nullptr, flush_ = nullptr, stamp_ = nullptr, checksum_ = nullptr, enter_state_ = nullptr,
             neighbour_ = nullptr;
};

}  // namespace kernelgen::cuda

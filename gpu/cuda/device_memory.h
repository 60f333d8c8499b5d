// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/backend/arena.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// One allocation on the current context's device.
class DeviceMemory {
public:
    /// Refused before it is asked for where it is more than is free. Errors: what was asked and what is free.
    static Result<DeviceMemory> allocate(const Driver& driver, std::size_t bytes);
    DeviceMemory() = default;
    DeviceMemory(DeviceMemory&& other) noexcept;
    DeviceMemory& operator=(DeviceMemory&& other) noexcept;
    ~DeviceMemory();

    Pointer address() const { return address_; }
    std::size_t bytes() const { return bytes_; }

private:
    DeviceMemory(const Driver* driver, Pointer address, std::size_t bytes)
        : driver_(driver), address_(address), bytes_(bytes) {}

    const Driver* driver_ = nullptr;
    Pointer address_ = 0;
    std::size_t bytes_ = 0;
};

/// Copies from ordinary memory, and returns when all of it is there for every stream.
Code copy_to_device(const Driver& driver, Pointer target, const std::byte* source, std::size_t bytes);

/// Where a call finds its buffers on the device, in the call's order.
struct DeviceBuffers {
    std::vector<Pointer> inputs, outputs, workspace;
};

/// The buffers of a layout that begins at `base`.
DeviceBuffers buffers_at(Pointer base, const Layout& layout);

}  // namespace kernelgen::cuda

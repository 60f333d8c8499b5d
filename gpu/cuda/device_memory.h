// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/backend/arena.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// One allocation on the device of the current context.
class DeviceMemory {
public:
    /// Allocates memory; refuses more than is free before the driver is asked. Errors: the size that was asked for and
    /// the size that is free.
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

/// Copies from host memory. When it returns, all bytes are visible to every stream.
Code copy_to_device(const Driver& driver, Pointer target, const std::byte* source, std::size_t bytes);

/// The addresses of a call's buffers on the device, in the call's order.
struct DeviceBuffers {
    std::vector<Pointer> inputs, outputs, workspace;
};

/// The addresses of a layout's buffers, where the layout begins at `base`.
DeviceBuffers buffers_at(Pointer base, const Layout& layout);

}  // namespace kernelgen::cuda

// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/device_memory.h"

#include <format>
#include <utility>

#include "core/base/text.h"

namespace kernelgen::cuda {

Result<DeviceMemory> DeviceMemory::allocate(const Driver& driver, std::size_t bytes) {
    constexpr std::size_t left_to_others = 64u << 20;
    std::size_t free = 0, total = 0;
    Code status = driver.memory_info(&free, &total);
    if (status != success) return fail(say("the device's memory cannot be asked for: {}", error_text(status)));
    const auto text = [](std::size_t count) { return with_si_prefix(static_cast<double>(count), "B"); };
    if (bytes + left_to_others > free) {
        return fail(say("needs {} of device memory; {} of {} are free", text(bytes), text(free), text(total)));
    }
    Pointer address = 0;
    status = driver.allocate(&address, bytes);
    if (status != success) {
        return fail(
            say("cannot allocate {} of device memory ({} were free): {}", text(bytes), text(free), error_text(status)));
    }
    return DeviceMemory(&driver, address, bytes);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : driver_(other.driver_), address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

DeviceMemory::~DeviceMemory() {
    if (address_ != 0) driver_->release(address_);
}

Code copy_to_device(const Driver& driver, Pointer target, const std::byte* source, std::size_t bytes) {
    const Code code = driver.copy_to_device(target, source, bytes);
    return code == success ? driver.synchronize() : code;  // the driver returns when it has read the source
}

DeviceBuffers buffers_at(Pointer base, const Layout& layout) {
    DeviceBuffers buffers;
    for (const Region& region : layout.inputs) buffers.inputs.push_back(base + region.offset);
    for (const Region& region : layout.outputs) buffers.outputs.push_back(base + region.offset);
    for (const Region& region : layout.workspace) buffers.workspace.push_back(base + region.offset);
    return buffers;
}

}  // namespace kernelgen::cuda

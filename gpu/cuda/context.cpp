// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/context.h"

#include <format>

#include "gpu/cuda/devices.h"

namespace kernelgen::cuda {

Outcome make_context(int ordinal, DeviceContext& context) {
    const std::string name = std::format("cuda:{}", ordinal);
    const Result<PresentDevice> found = find_present_device(name);
    if (!found) return {Status::unavailable, found.error().message};
    const Driver& functions = *driver();
    context = {.driver = &functions,
               .device = found->handle,
               .l2_bytes = static_cast<std::size_t>(found->model.l2_bytes),
               .highest_clock_mhz = found->clock_khz * 1e-3,
               .pci_bus_id = found->pci_bus_id};
    Context made = nullptr;
    Code code = functions.retain_context(&made, found->handle);
    if (code == success) code = functions.set_context(made);
    // A launch into the default stream makes the capture fail; beside a non-blocking one it would be left out.
    if (code == success) code = functions.create_stream(&context.capturing, blocking_stream);
    context.context = made;
    if (code == success) return {};
    std::string reason = std::format("{} cannot be used: {}", name, error_text(code));
    if (code == device_unavailable) reason += "; another process holds it for itself: wait for it, or end it";
    if (code == out_of_memory) reason += "; other processes have taken its memory: nvidia-smi lists them";
    return {Status::unavailable, reason};
}

}  // namespace kernelgen::cuda

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
    const Said why = error_text(code);
    if (code == device_unavailable)
        return {Status::unavailable,
                say("{} cannot be used: {}; another process holds it for itself: wait for it, or end it", name, why)};
    if (code == out_of_memory)
        return {Status::unavailable,
                say("{} cannot be used: {}; other processes have taken its memory: nvidia-smi lists them", name, why)};
    return {Status::unavailable, say("{} cannot be used: {}", name, why)};
}

}  // namespace kernelgen::cuda

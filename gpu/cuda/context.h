// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/backend/outcome.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// A device's context, which is current in this thread, and its streams. All exist until the process ends.
struct DeviceContext {
    const Driver* driver = nullptr;
    Device device = 0;
    Stream stream = nullptr;  ///< for all work: CUDA's default one, as PyTorch's and that of `kernel<<<grid, block>>>`
    Stream capturing = nullptr;  ///< captures graphs, which the default one cannot
    Context context = nullptr;
    std::size_t l2_bytes = 0;
    double highest_clock_mhz = 0;
    std::string pci_bus_id;
};

/// Makes the context and its streams. Outcome: `unavailable` with the reason (no driver, no such device, another
/// process holds it, no free memory).
Outcome make_context(int ordinal, DeviceContext& context);

}  // namespace kernelgen::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/backend/executor.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// A device's context, current in this thread, and a stream in it. Both end with the process.
struct DeviceContext {
    const Driver* driver = nullptr;
    Device device = 0;
    Stream stream = nullptr;
    Context context = nullptr;
    std::size_t l2_bytes = 0;
    double highest_clock_mhz = 0;
    std::string pci_bus_id;
};

/// Outcome: `unavailable` with the reason (no driver, no such device, another process holds it, no memory is left).
Outcome make_context(int ordinal, DeviceContext& context);

}  // namespace kernelgen::cuda

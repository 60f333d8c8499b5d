// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "gpu/cuda/device_model.h"

namespace kernelgen {

/// What one block of a kernel takes of a multiprocessor.
struct BlockNeeds {
    std::int64_t threads = 1;
    int registers = 0;              ///< of a thread
    std::int64_t shared_bytes = 0;  ///< static and dynamic
};

/// How many blocks share a multiprocessor, by NVIDIA's published rules. Clusters and named barriers are not counted.
struct Occupancy {
    int blocks = 0;
    int warps = 0;        ///< of these blocks
    double fraction = 0;  ///< of the warps that a multiprocessor can hold: 0 to 1
    std::string limiter;  ///< "registers", "shared memory", "threads", "blocks"; joined by " and " where several bind
};

/// A sentence with the numbers where a block is more than the device gives to one; else "".
std::string exceeded_limit(const DeviceModel& device, const BlockNeeds& needs);

/// Of a block within the limits.
Occupancy occupancy_of(const DeviceModel& device, const BlockNeeds& needs);

}  // namespace kernelgen

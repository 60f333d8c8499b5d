// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/said.h"
#include "gpu/cuda/device_model.h"

namespace kernelgen {

/// The resources of a multiprocessor that one block of a kernel uses.
struct BlockNeeds {
    std::int64_t threads = 1;
    int registers = 0;              ///< for each thread
    std::int64_t shared_bytes = 0;  ///< static and dynamic
};

/// How many blocks run on a multiprocessor at the same time, by NVIDIA's published rules. Clusters and named barriers
/// are ignored.
struct Occupancy {
    int blocks = 0;
    int warps = 0;        ///< of these blocks
    double fraction = 0;  ///< share of the warps that a multiprocessor can hold: 0 to 1
    std::string limiter;  ///< "registers", "shared memory", "threads", "blocks"; several are joined by " and "
};

/// A sentence with the numbers, where a block needs more than the device allows; else "".
Said exceeded_limit(const DeviceModel& device, const BlockNeeds& needs);

/// The occupancy of a block that is within the limits.
Occupancy occupancy_of(const DeviceModel& device, const BlockNeeds& needs);

}  // namespace kernelgen

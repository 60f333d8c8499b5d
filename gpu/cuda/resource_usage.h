// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/backend/build.h"
#include "core/measure/metrics.h"
#include "gpu/cuda/occupancy.h"

namespace kernelgen {

/// For a build with several launches, each resource is the largest of its launches, and the occupancy is the lowest.
void keep_largest(BuildResult& result, const Metric& metric, double value);
void keep_lowest(BuildResult& result, const Occupancy& occupancy);

/// Adds to a build the resources of its kernels on a device; of several launches the largest value of each:
/// `registers`, `stack_bytes`, `spill_store_bytes`, `spill_load_bytes`, `static_shared_bytes`, `constant_bytes`,
/// `barriers`. Where the launch does not depend on the case, also `threads_per_block` and `dynamic_shared_bytes`; and
/// from the launch with the lowest `occupancy` this number, `blocks_per_multiprocessor`, `active_warps` and the
/// limiter. The build ends as `over_limit` where a block is larger than any device allows, than this device allows, or
/// than the launch bounds in `ptx` allow.
void add_resources(const DeviceModel& device, const BuildRequest& request, std::string_view ptx, BuildResult& result);

/// Adds the resources of a build whose launches are its own: the largest value of all kernels that ptxas names in its
/// log, without those values that depend on the launches.
void add_resources_of_all(BuildResult& result);

}  // namespace kernelgen

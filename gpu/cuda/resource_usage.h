// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/backend/build.h"
#include "gpu/cuda/occupancy.h"

namespace kernelgen {

/// A resource of a build with several launches is the largest of theirs, its occupancy the lowest.
void keep_largest(BuildResult& result, const std::string& name, double value);
void keep_lowest(BuildResult& result, const Occupancy& occupancy);

/// Adds to a build what its kernels take on a device, of several launches the largest of each: `registers`,
/// `stack_bytes`, `spill_store_bytes`, `spill_load_bytes`, `static_shared_bytes`, `constant_bytes`, `barriers`; and,
/// where the launch does not depend on the case, `threads_per_block`, `dynamic_shared_bytes`, and of the launch with
/// the lowest `occupancy` also `blocks_per_multiprocessor`, `active_warps` and the limiter. A block that no device can
/// start, that is more than this one gives, or than the launch bounds in `ptx` allow ends the build as `over_limit`.
void add_resources(const DeviceModel& device, const BuildRequest& request, std::string_view ptx, BuildResult& result);

}  // namespace kernelgen

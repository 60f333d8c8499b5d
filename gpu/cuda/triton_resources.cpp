// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/triton_resources.h"

#include <algorithm>

#include "gpu/cuda/occupancy.h"

namespace kernelgen {

namespace {

void keep_largest(BuildResult& result, const std::string& name, double value) {
    double& kept = result.resources.emplace(name, value).first->second;
    kept = std::max(kept, value);
}

void keep_lowest(BuildResult& result, const Occupancy& occupancy) {
    const auto known = result.resources.find("occupancy");
    if (known != result.resources.end() && known->second <= occupancy.fraction) return;
    result.resources["occupancy"] = occupancy.fraction;
    result.resources["blocks_per_multiprocessor"] = occupancy.blocks;
    result.resources["active_warps"] = occupancy.warps;
    result.occupancy_limiter = occupancy.limiter;
}

}  // namespace

void add_triton_resources(const DeviceModel& device, const std::vector<TrialKernel>& kernels, BuildResult& result) {
    constexpr int register_bytes = 4;
    for (const TrialKernel& kernel : kernels) {
        const std::int64_t warps = kernel.number("num_warps", 4);
        const BlockNeeds needs{warps * device.warp_size, static_cast<int>(kernel.number("registers", 0)),
                               kernel.number("shared_bytes", 0)};
        keep_largest(result, "registers", needs.registers);
        keep_largest(result, "spill_store_bytes",
                     register_bytes * static_cast<double>(kernel.number("spilled_registers", 0)));
        keep_largest(result, "dynamic_shared_bytes", static_cast<double>(needs.shared_bytes));
        keep_largest(result, "threads_per_block", static_cast<double>(needs.threads));
        keep_largest(result, "num_warps", static_cast<double>(warps));
        if (const auto stages = kernel.number("num_stages", -1); stages >= 0)
            keep_largest(result, "num_stages", static_cast<double>(stages));
        if (needs.registers > 0) keep_lowest(result, occupancy_of(device, needs));
    }
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/triton_resources.h"

#include "gpu/cuda/resource_usage.h"

namespace kernelgen {

void add_triton_resources(const DeviceModel& device, const std::vector<TrialKernel>& kernels, BuildResult& result) {
    constexpr int register_bytes = 4;
    for (const TrialKernel& kernel : kernels) {
        const std::int64_t warps = kernel.number("num_warps", 4);
        const BlockNeeds needs{warps * device.warp_size, static_cast<int>(kernel.number("registers", 0)),
                               kernel.number("shared_bytes", 0)};
        keep_largest(result, metrics::registers, needs.registers);
        keep_largest(result, metrics::spill_store_bytes,
                     register_bytes * static_cast<double>(kernel.number("spilled_registers", 0)));
        keep_largest(result, metrics::dynamic_shared_bytes, static_cast<double>(needs.shared_bytes));
        keep_largest(result, metrics::threads_per_block, static_cast<double>(needs.threads));
        keep_largest(result, metrics::num_warps, static_cast<double>(warps));
        if (const auto stages = kernel.number("num_stages", -1); stages >= 0)
            keep_largest(result, metrics::num_stages, static_cast<double>(stages));
        if (needs.registers > 0) keep_lowest(result, occupancy_of(device, needs));
    }
}

}  // namespace kernelgen

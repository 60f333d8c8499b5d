// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device_numbers.h"

namespace kernelgen {

RunPlan with_device_numbers(RunPlan plan, WorkerClient& worker, std::stop_token stop) {
    plan.candidate.device = worker.device_numbers(plan.options.device, stop);
    if (plan.baseline) plan.baseline->device = plan.candidate.device;
    return plan;
}

}  // namespace kernelgen

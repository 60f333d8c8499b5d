// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device_numbers.h"

#include <algorithm>

namespace kernelgen {

RunPlan with_device_numbers(RunPlan plan, WorkerClient& worker, std::stop_token stop) {
    plan.candidate.device = worker.device_numbers(plan.options.device, stop);
    if (plan.baseline) plan.baseline->device = plan.candidate.device;
    return plan;
}

RunPlan with_ceilings(RunPlan plan, WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    if (has_file(plan.project.definition.family)) return plan;  // a Python file is on no roofline
    const std::string& device = plan.options.device;
    const Result<std::vector<WorkerDevice>> devices = worker.devices(stop);
    const bool lacks_them = devices && std::ranges::any_of(*devices, [&](const WorkerDevice& each) {
                                return each.info.name == device && each.info.available && !each.ceilings.measured();
                            });
    if (!lacks_them) return plan;
    if (Result<Ceilings> measured = worker.measure_ceilings(device, progress, stop)) plan.ceilings = *measured;
    return plan;
}

}  // namespace kernelgen

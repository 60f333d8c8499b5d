// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run.h"

namespace kernelgen {

/// The plan with the numbers of its device, which launches and restrictions may name. Unchanged where the worker does
/// not know the device.
RunPlan with_device_numbers(RunPlan plan, WorkerClient& worker, std::stop_token stop);

/// The plan with the device's ceilings where nobody has measured them: they are measured now, which takes more than a
/// minute on a GPU, so that what has a budget begins afterwards. Unchanged where a round needs none or they cannot be
/// measured, which the first round then says.
RunPlan with_ceilings(RunPlan plan, WorkerClient& worker, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen

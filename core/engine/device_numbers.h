// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run.h"

namespace kernelgen {

/// The plan with the numbers of its device, which launches and restrictions may name. Unchanged where the worker does
/// not know the device.
RunPlan with_device_numbers(RunPlan plan, WorkerClient& worker, std::stop_token stop);

}  // namespace kernelgen

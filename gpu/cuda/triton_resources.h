// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/backend/trial.h"
#include "gpu/cuda/device_model.h"

namespace kernelgen {

/// Adds what Triton told of each kernel of a trial call to a build's resources, the largest of each, with the lowest
/// occupancy.
void add_triton_resources(const DeviceModel& device, const std::vector<TrialKernel>& kernels, BuildResult& result);

}  // namespace kernelgen

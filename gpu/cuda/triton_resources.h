// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/backend/build.h"
#include "core/backend/trial.h"
#include "gpu/cuda/device_model.h"

namespace kernelgen {

/// Adds to a build the resources that Triton reported in a trial call: of several kernels the largest of each, and the
/// lowest occupancy.
void add_triton_resources(const DeviceModel& device, const std::vector<TrialKernel>& kernels, BuildResult& result);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/backend/build.h"
#include "gpu/cuda/device_model.h"

namespace kernelgen {

/// Adds what Triton told of each kernel of a call ("kernels" of a reply to a trial, docs/EXECUTOR_PROTOCOL.md) to a
/// build's resources, the largest of each, with the lowest occupancy.
void add_triton_resources(const DeviceModel& device, const nlohmann::json& kernels, BuildResult& result);

}  // namespace kernelgen

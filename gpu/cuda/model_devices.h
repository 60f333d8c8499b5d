// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/said.h"
#include "gpu/cuda/nvrtc.h"

namespace kernelgen {

/// The device models as devices for which kernels can only be built: `cuda:a100`, `cuda:h200` …
std::vector<DeviceInfo> model_devices(const Result<NvrtcLibrary>& compiler);

/// Why `device` cannot run kernels, where it is a device model.
std::optional<Said> builds_only_reason(const std::string& device);

}  // namespace kernelgen

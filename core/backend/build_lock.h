// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "core/measure/device_lock.h"

namespace kernelgen {

/// The device's lock as a build holds it. While it waits for timing elsewhere, `progress`, if there is one, says so,
/// and then that it builds. Errors: as `lock_device`.
Result<FileLock> lock_for_build(const std::string& device, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen

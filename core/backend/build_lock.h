// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "core/measure/device_lock.h"

namespace kernelgen {

/// Takes the device's lock, together with other builds. `stage` is what is done under it: "build", "verify". While a
/// timing holds the lock, `progress` (if not empty) is told that the stage waits, and afterwards that it begins.
/// Errors: as `lock_device`.
Result<FileLock> lock_for_build(const std::string& device, const Progress& progress, std::stop_token stop,
                                const std::string& stage = "build", DeviceUse use = DeviceUse::together);

}  // namespace kernelgen

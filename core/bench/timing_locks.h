// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/file.h"
#include "core/bench/rotation.h"
#include "core/measure/device_lock.h"

namespace kernelgen {

/// Locks the device alone, or by `use` with others, for what prepares a timing. For a GPU also takes the CPU's lock,
/// shared: the CPU judges outputs, so no CPU timing may run. `stage` is what is done under the locks: "bench", "race".
TimingFailure lock_for_timing(const std::string& device, bool is_host, const std::string& stage,
                              const Progress& progress, std::stop_token stop, std::vector<FileLock>& locks,
                              DeviceUse use = DeviceUse::alone);

}  // namespace kernelgen

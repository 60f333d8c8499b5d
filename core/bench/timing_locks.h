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

/// Takes the locks of a timing: the device's, and where it is not the processors, theirs together with others: they
/// judge outputs while nobody's time on them is taken. `stage` is what is done under them: "bench", "race". `use`:
/// other than `alone` for what prepares a timing.
TimingFailure lock_for_timing(const std::string& device, bool is_host, const std::string& stage,
                              const Progress& progress, std::stop_token stop, std::vector<FileLock>& locks,
                              DeviceUse use = DeviceUse::alone);

}  // namespace kernelgen

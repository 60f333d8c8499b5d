// SPDX-License-Identifier: Apache-2.0
#include "core/backend/build_lock.h"

#include <format>

namespace kernelgen {

Result<FileLock> lock_for_build(const std::string& device, const Progress& progress, std::stop_token stop,
                                const std::string& stage, DeviceUse use) {
    bool waited = false;
    Result<FileLock> lock = lock_device(device, use, std::move(stop), [&](const std::string& holder) {
        waited = true;
        if (progress) progress(std::format("{} {}{}", waiting_for_lock, stage, holder), 0, 0);
    });
    if (waited && lock && progress) progress(stage, 0, 0);
    return lock;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/bench/timing_locks.h"

#include <format>

namespace kernelgen {

TimingFailure lock_for_timing(const std::string& device, bool is_host, const std::string& stage,
                              const Progress& progress, std::stop_token stop, std::vector<FileLock>& locks,
                              DeviceUse use) {
    bool has_waited = false;
    const auto waiting = [&](const std::string& holder) {
        has_waited = true;
        progress(std::format("{} {}{}", waiting_for_lock, stage, holder), 0, 0);
    };
    std::vector<std::pair<std::string, DeviceUse>> wanted = {{device, use}};
    if (!is_host) wanted.insert(wanted.begin(), {"cpu", DeviceUse::together});
    for (const auto& [name, of_device] : wanted) {
        Result<FileLock> lock = lock_device(name, of_device, stop, waiting);
        if (!lock) return {stop.stop_requested() ? Status::cancelled : Status::unavailable, lock.error().message};
        locks.push_back(std::move(*lock));
    }
    if (has_waited) progress(stage, 0, 0);
    return {};
}

}  // namespace kernelgen

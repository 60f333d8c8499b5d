// SPDX-License-Identifier: Apache-2.0
#include "core/measure/device_lock.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace kernelgen {

Result<FileLock> lock_device(const std::string& device, FileLock::Mode mode, std::stop_token stop,
                             const std::function<void()>& waiting) {
    constexpr int noticeable_tries = 100;  // half a second
    std::string name = device;
    std::ranges::replace(name, ':', '-');
    std::ranges::replace(name, '/', '-');
    const std::string path = "/tmp/kernelgen-" + name + ".lock";
    for (int tries = 0;; ++tries) {
        Result<FileLock> lock = FileLock::try_acquire(path, mode);
        if (!lock || lock->held()) {
            ::chmod(path.c_str(), 0666);  // other users' processes share the device too
            return lock;
        }
        if (stop.stop_requested())
            return fail("stopped while waiting for device `" + device +
                        "`, for which another kernelgen builds or measures");
        if (tries == noticeable_tries && waiting) waiting();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace kernelgen

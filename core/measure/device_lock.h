// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/file.h"

namespace kernelgen {

/// Called with "" when a person would notice the waiting, then every ten seconds with the holder of the lock, such as `
/// (held by process 4711 (sleep 60))`, where the system reports it.
using SaysWaiting = std::function<void(const std::string& holder)>;

/// What the lock of a device is for. Timings are `alone`; builds are `together`, never beside a timing. Who is
/// `giving_way` is together with others too, but begins only after those that wait to be alone. It must not hold the
/// lock already.
enum class DeviceUse { alone, together, giving_way };

/// Takes the lock of a device, which all kernelgen processes of the machine share. Errors: `stop` is requested while it
/// waits; the lock is held by a process that this process has started (such a process belongs to a kernel and would
/// never release the lock).
Result<FileLock> lock_device(const std::string& device, DeviceUse use, std::stop_token stop,
                             const SaysWaiting& waiting = {});

/// The beginning of the progress text while a build or a timing waits; its name follows.
inline constexpr std::string_view waiting_for_lock = "waiting for another kernelgen that builds or measures before";

}  // namespace kernelgen

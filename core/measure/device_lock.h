// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/file.h"

namespace kernelgen {

/// Called when a person would notice the waiting, with nothing; then every ten seconds with who holds the lock, such as
/// ` (held by process 4711 (sleep 60))`, where the system tells.
using SaysWaiting = std::function<void(const std::string& holder)>;

/// The lock of a device that all kernelgen processes of the machine share: timing holds it exclusively, builds hold it
/// shared, so that no build runs during timing. Waiting ends with an error when `stop` is requested, and where a
/// process that this one has started holds the lock: a kernel's, which would never let it go.
Result<FileLock> lock_device(const std::string& device, FileLock::Mode mode, std::stop_token stop,
                             const SaysWaiting& waiting = {});

/// What progress says meanwhile, before the name of what waits.
inline constexpr std::string_view waiting_for_lock = "waiting for another kernelgen that builds or measures before";

}  // namespace kernelgen

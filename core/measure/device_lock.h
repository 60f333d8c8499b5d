// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/file.h"

namespace kernelgen {

/// Called while a lock is waited for: once with "" after a moment, then every ten seconds with the process that holds
/// the lock, ` (held by process 4711 (sleep 60))`, where the system reports it.
using SaysWaiting = std::function<void(const std::string& holder)>;

/// How a device's lock is held. `alone`: exclusive, for timings. `together`: shared, for builds, which may run beside
/// each other but never beside a timing. `giving_way`: shared too, but it waits until no other process waits to be
/// `alone`; the caller must not hold the lock already.
enum class DeviceUse { alone, together, giving_way };

/// Sets how a device's name in this process becomes the name that all processes of the machine use for it; it must be
/// thread safe. What `cuda:0` is depends on CUDA_VISIBLE_DEVICES and on what a cluster's job may see. Until then, and
/// where it returns "", the device's own name counts.
void set_names_of_locks(std::function<std::string(const std::string& device)> name_of);

/// Takes the lock of a device, which all kernelgen processes of the machine share. Errors: `stop` is requested while it
/// waits; the lock is held by a process that this process has started (such a process belongs to a kernel and would
/// never release the lock).
Result<FileLock> lock_device(const std::string& device, DeviceUse use, std::stop_token stop,
                             const SaysWaiting& waiting = {});

/// The beginning of the progress text while a build or a timing waits; its name follows.
inline constexpr std::string_view waiting_for_lock = "waiting for another kernelgen that builds or measures before";

}  // namespace kernelgen

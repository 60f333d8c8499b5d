// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/file.h"

namespace kernelgen {

/// The lock of a device that all kernelgen processes of the machine share: timing holds it exclusively, builds hold it
/// shared, so that no build runs during timing. Waiting ends with an error when `stop` is requested; one that a person
/// would notice calls `waiting` once.
Result<FileLock> lock_device(const std::string& device, FileLock::Mode mode, std::stop_token stop,
                             const std::function<void()>& waiting = {});

/// What progress says meanwhile, before the name of what waits.
inline constexpr std::string_view waiting_for_lock = "waiting for another kernelgen that builds or measures before";

}  // namespace kernelgen

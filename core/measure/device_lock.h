// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/base/file.h"

namespace kernelgen {

/// The lock of a device that all kernelgen processes of the machine share: timing holds it exclusively, builds hold it
/// shared, so that no build runs during timing. Waiting ends with an error when `stop` is requested.
Result<FileLock> lock_device(const std::string& device, FileLock::Mode mode, std::stop_token stop);

}  // namespace kernelgen

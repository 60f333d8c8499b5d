// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.h"

namespace kernelgen {

/// The backend of the devices `cuda:0`, `cuda:1` …, and of device models such as `cuda:h200`, for which kernels can be
/// built but not run. `program` is the path of this program; its commands `cuda-compiler` and `cuda-executor` are the
/// backend's child processes. The backend can be made without a driver and without a compiler: `devices` reports what
/// is missing.
std::unique_ptr<Backend> make_cuda_backend(std::string program);

}  // namespace kernelgen

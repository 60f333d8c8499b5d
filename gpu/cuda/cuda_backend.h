// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.h"

namespace kernelgen {

/// The devices `cuda:0`, `cuda:1` …, and device models such as `cuda:h200`, for which kernels can be built but not run.
/// `program` is this program's path: its commands `cuda-compiler` and `cuda-executor` are the backend's children.
/// Neither a driver nor a compiler is needed to make one: what is missing is said by `devices`.
std::unique_ptr<Backend> make_cuda_backend(std::string program);

}  // namespace kernelgen

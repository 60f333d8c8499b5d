// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "gpu/cuda/nvrtc.h"

namespace kernelgen {

/// Compiles a `cuda` variant into a cubin in the cache, or finds it there; its PTX lies beside it. `program` is this
/// program's path: the compiler is a child of its own (`cuda-compiler`), so that it ends with `stop` and may crash.
/// `architecture` is what NVRTC calls it: "sm_90a". The result has no resources yet (gpu/cuda/resource_usage.h).
BuildResult compile_cuda(const std::string& program, const NvrtcLibrary& nvrtc, const std::string& architecture,
                         const BuildRequest& request, const Progress& progress, std::stop_token stop);

/// The PTX of a build that is in the cache.
Result<std::string> ptx_of(const BuildResult& result);

}  // namespace kernelgen

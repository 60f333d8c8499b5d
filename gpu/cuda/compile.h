// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "gpu/cuda/nvrtc.h"

namespace kernelgen {

/// Compiles a `cuda` variant into a cubin in the cache, or finds it there; the PTX is stored beside the cubin.
/// `program` is the path of this program: the compiler runs in a child process (`cuda-compiler`), which is killed on
/// `stop` and may crash. `architecture` is NVRTC's name: "sm_90a". The result has no resources yet
/// (gpu/cuda/resource_usage.h).
BuildResult compile_cuda(const std::string& program, const NvrtcLibrary& nvrtc, const std::string& architecture,
                         const BuildRequest& request, const Progress& progress, std::stop_token stop);

/// The PTX of a build in the cache.
Result<std::string> ptx_of(const BuildResult& result);

}  // namespace kernelgen

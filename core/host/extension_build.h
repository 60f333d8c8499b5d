// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "core/host/compiler.h"

namespace kernelgen {

/// The CUDA toolkit's compiler: `KERNELGEN_NVCC`, else that of CUDA_HOME or CUDA_PATH, on PATH, or of /usr/local/cuda.
/// Searched for once. Errors: there is none, with how to get one.
const Result<Compiler>& nvcc();

/// Builds an `extension` variant into a shared object in the cache, or finds it there. `architecture`: "sm_90a" of a
/// CUDA device; "" for a CPU. `compiler`: of C++. The compilers have twenty times the request's limit.
BuildResult build_extension(const Result<Compiler>& compiler, const std::string& architecture,
                            const BuildRequest& request, const Progress& progress, std::stop_token stop);

/// Adds the language to a device's that has PyTorch, where `compiler` is there, or a note that says what is missing.
void add_extension_language(DeviceInfo& device, const Result<Compiler>& compiler);

}  // namespace kernelgen

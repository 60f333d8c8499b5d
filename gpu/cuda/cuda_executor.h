// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/python/executor_library.h"

namespace kernelgen {

/// The CUDA executor's main loop (`kernelgen cuda-executor ORDINAL CUBIN`): started with a mailbox and an arena,
/// `timing_cubin` resources/cuda/timing.cu as built for this device. The context is made by the first request.
/// `python` is called back for Python variants; null where the process has no interpreter.
int cuda_executor_main(int ordinal, const std::string& timing_cubin,
                       const kernelgen_python_callbacks* python = nullptr);

/// `kernelgen cuda-once ORDINAL FILE`: one call of the kernel that the JSON in FILE describes (`artifact`, `call`), for
/// a profiler that watches this process. Prints why where it fails.
int cuda_once_main(int ordinal, const std::string& request_file);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/python/executor_library.h"

namespace kernelgen {

/// The main loop of the CUDA executor (`kernelgen cuda-executor ORDINAL CUBIN`), a process with a mailbox and an arena.
/// `timing_cubin` is resources/cuda/timing.cu, built for this device. `python` is called for Python variants; null
/// where the process has no interpreter.
int cuda_executor_main(int ordinal, const std::string& timing_cubin,
                       const kernelgen_python_callbacks* python = nullptr);

/// `kernelgen cuda-once ORDINAL FILE`: makes one call of the kernel that the JSON in FILE describes (`artifact`,
/// `call`), for a profiler that watches this process. Where it fails, it prints the reason.
int cuda_once_main(int ordinal, const std::string& request_file);

}  // namespace kernelgen

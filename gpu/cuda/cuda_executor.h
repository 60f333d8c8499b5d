// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernelgen {

/// The CUDA executor's main loop (`kernelgen cuda-executor ORDINAL CUBIN`): descriptor 3 is the protocol, 4 the arena,
/// `timing_cubin` resources/cuda/timing.cu as built for this device. The context is made by the first request.
int cuda_executor_main(int ordinal, const std::string& timing_cubin);

/// `kernelgen cuda-once ORDINAL FILE`: one call of the kernel that the JSON in FILE describes (`artifact`, `call`), for
/// a profiler that watches this process. Prints why where it fails.
int cuda_once_main(int ordinal, const std::string& request_file);

}  // namespace kernelgen

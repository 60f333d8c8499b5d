// SPDX-License-Identifier: Apache-2.0
// The executor for Python processes; its interface is core/python/executor_library.h.
#include <iostream>
#include <string>
#include <string_view>

#include "core/backend/executor_protocol.h"
#include "core/host/host_backend.h"
#include "core/host/private_memory.h"
#include "gpu/cuda/cuda_executor.h"

extern "C" __attribute__((visibility("default"))) int kernelgen_executor_serve(
    const char* kind, int ordinal, const char* timing_cubin, const kernelgen_python_callbacks* callbacks) {
    if (callbacks->protocol != kernelgen::executor_protocol_version) {
        const std::string theirs = std::to_string(callbacks->protocol);
        std::cerr << "kernelgen: " << kernelgen::other_protocol("kernelgen_executor.py", theirs) << "\n";
        return 1;
    }
    if (std::string_view(kind) == "cuda") return kernelgen::cuda_executor_main(ordinal, timing_cubin, callbacks);
    return kernelgen::native_executor_main(callbacks);
}

extern "C" __attribute__((visibility("default"))) void kernelgen_executor_flush(const void* data, uint64_t bytes) {
    kernelgen::flush_lines(static_cast<const std::byte*>(data), bytes);
    kernelgen::cache_fence();
}

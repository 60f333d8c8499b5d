// SPDX-License-Identifier: Apache-2.0
// A C++ or CUDA source: its kernel `k` is read or refused, and threads of it are followed.
#include <cstdint>
#include <string_view>

#include "core/trace/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const CodeFile file({reinterpret_cast<const char*>(data), size});
    const CodeFunction* kernel = file.find("k");
    (void)file.problem_of("k");
    if (kernel == nullptr) return 0;
    TraceRequest request;
    request.arguments = {{"x", {}, true, 4}, {"out", {}, true, 4}, {"P", 100, false, 4}, {"D", 1000, false, 4}};
    request.block = {64, 1, 1};
    for (const bool is_cuda : {false, true}) {
        request.is_cuda = is_cuda;
        request.thread = {3, 0, 0};
        (void)trace_thread(file, *kernel, request).executions();
    }
    return 0;
}

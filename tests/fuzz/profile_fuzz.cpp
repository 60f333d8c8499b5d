// SPDX-License-Identifier: Apache-2.0
// What tools print that tell of a kernel: the output of ncu, of objdump, and PTX.
#include <cstdint>
#include <string>

#include "core/host/instructions.h"
#include "gpu/cuda/profiler.h"
#include "gpu/cuda/ptx_counts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const std::string text(reinterpret_cast<const char*>(data), size);
    (void)cuda::parse_profile(text);
    (void)instruction_counts(text);
    (void)ptx_counts(text);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "core/project/project.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/nvrtc.h"

namespace kernelgen::testing {

/// A `cuda` variant of bias_add with one tunable, `num_warps`, and a request to build it for f32.
inline BuildRequest cuda_request(const std::string& text, const std::string& device = "cuda:h200") {
    BuildRequest request;
    Operator& definition = request.definition;
    definition.name = "bias_add";
    definition.symbols = {"P", "D"};
    definition.inputs = {{"x", {"P", "D"}, {}}, {"bias", {"D"}, {}}};
    definition.outputs = {{"out", {"P", "D"}, {}}};
    definition.body = "out = x + bias";
    Variant& variant = request.implementation.variant;
    variant.name = "gpu";
    variant.language = Language::cuda;
    variant.source = "bias_add.cu";
    variant.entry = "bias_add";
    Launch launch;
    launch.grid = {"P"};
    launch.block = {"32 * num_warps"};
    launch.args = {"x", "bias", "out", "P", "D"};
    variant.launches = {launch};
    variant.tunables = {{"num_warps", {1, 4, 8, 32, 64}, 8}};
    request.implementation.configuration = {{"num_warps", 8}};
    request.implementation.text = text;
    request.device = device;
    return request;
}

/// A source that adds the bias; `head` stands before the kernel, `before` at its beginning.
inline std::string cuda_source(const std::string& before = "", const std::string& head = "") {
    return "#include <stdint.h>\n" + head +
           "\nextern \"C\" __global__ void bias_add(const DTYPE* __restrict__ x, const DTYPE* bias, DTYPE* out,\n"
           "                                    const int64_t P, const int64_t D) {\n" +
           before +
           "\n    for (int64_t d = threadIdx.x; d < D; d += blockDim.x) {\n"
           "        out[blockIdx.x * D + d] = x[blockIdx.x * D + d] + bias[d];\n    }\n}\n";
}

/// A comment that no source had before: what has it is not in the cache of builds.
inline std::string fresh_comment() {
    return "// " + std::to_string(::getpid()) + " " +
           std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + "\n";
}

inline std::unique_ptr<Backend> cuda_backend() { return make_cuda_backend(KERNELGEN_PROGRAM); }

inline BuildResult cuda_build(const BuildRequest& request) { return cuda_backend()->build(request, {}, {}); }

/// Why tests that compile are skipped here; "" where they are not.
inline std::string missing_compiler() {
    const Result<NvrtcLibrary> nvrtc = find_nvrtc();
    return nvrtc ? "" : nvrtc.error().message;
}

#define NEEDS_NVRTC() \
    if (const std::string missing = ::kernelgen::testing::missing_compiler(); !missing.empty()) GTEST_SKIP() << missing

}  // namespace kernelgen::testing

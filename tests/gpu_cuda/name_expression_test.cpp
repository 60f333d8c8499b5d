// SPDX-License-Identifier: Apache-2.0
// Kernels that are instances of templates, or in a namespace: NVRTC finds them by name expressions.
#include <gmock/gmock.h>

#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

using testing::cuda_backend;
using testing::cuda_request;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string source = R"(#include <stdint.h>
namespace mine {
template <class T, int THREADS>
__global__ void __launch_bounds__(THREADS) bias_add(const T* __restrict__ x, const T* bias, T* out,
                                                    const int64_t P, const int64_t D) {
    __shared__ T kept[THREADS];
    for (int64_t d = threadIdx.x; d < D; d += THREADS) {
        kept[threadIdx.x] = bias[d];
        out[blockIdx.x * D + d] = x[blockIdx.x * D + d] + kept[threadIdx.x];
    }
}
__global__ void plain(const float* x, const float* bias, float* out, int64_t P, int64_t D) { out[P] = x[D] + bias[0]; }
}  // namespace mine
__device__ void no_kernel(const float*, const float*, float*, int64_t, int64_t) {}
)";

BuildRequest request_of(const std::string& entry, const std::string& text = source) {
    BuildRequest request = cuda_request(text);
    request.implementation.variant.entry = entry;
    return request;
}

TEST(NameExpressionBuild, CompilesTheInstanceWithTunablesInIt) {
    NEEDS_NVRTC();
    BuildRequest request = request_of("mine::bias_add<DTYPE, 32 * num_warps>");
    request.texts = {"ptx"};
    const BuildResult result = testing::cuda_build(request);
    ASSERT_EQ(result.status, Status::ok) << result.reason << result.log;
    EXPECT_EQ(symbol_of(result.artifact, request.implementation.variant.entry),
              "_ZN4mine8bias_addIfLi256EEEvPKT_S3_PS1_xx");
    EXPECT_THAT(result.texts.at("ptx"), HasSubstr(".entry _ZN4mine8bias_addIfLi256EEEvPKT_S3_PS1_xx("));
    EXPECT_EQ(result.resources.at("threads_per_block"), 256);
    EXPECT_EQ(result.resources.at("static_shared_bytes"), 1024);
    EXPECT_GT(result.resources.at("registers"), 4);
    EXPECT_GT(result.resources.at("occupancy"), 0.5);
    request.implementation.configuration["num_warps"] = 4;
    EXPECT_EQ(testing::cuda_build(request).resources.at("static_shared_bytes"), 512);
}

TEST(NameExpressionBuild, KeepsTheKernelsSymbolInTheCache) {
    NEEDS_NVRTC();
    const BuildRequest request = request_of("mine::bias_add<float, 256>");
    const BuildResult first = testing::cuda_build(request), second = testing::cuda_build(request);
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_TRUE(second.cached);
    EXPECT_EQ(first.artifact.symbols, second.artifact.symbols);
    EXPECT_EQ(first.resources, second.resources);
    EXPECT_NE(testing::cuda_build(request_of("mine::bias_add<float, 512>")).key, first.key);
}

TEST(NameExpressionBuild, TakesAFunctionInANamespaceAndSeveralLaunches) {
    NEEDS_NVRTC();
    BuildRequest request = request_of("mine::plain");
    Launch second = request.implementation.variant.launches[0];
    second.entry = "mine::bias_add<float, 1024>";
    request.implementation.variant.launches.push_back(second);
    request.implementation.variant.launches.push_back(second);
    const BuildResult result = testing::cuda_build(request);
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_EQ(result.artifact.symbols.size(), 2u);
    EXPECT_EQ(result.resources.at("static_shared_bytes"), 4096);
}

TEST(NameExpressionBuild, SaysWhatSignatureTheLaunchDemands) {
    NEEDS_NVRTC();
    BuildRequest request = request_of("mine::bias_add<float, 256>");
    request.implementation.variant.launches[0].args = {"x", "bias", "out", "P"};
    const BuildResult result = testing::cuda_build(request);
    ASSERT_EQ(result.status, Status::build_failed);
    EXPECT_EQ(
        result.reason,
        "bias_add.cu:4: the signature of `mine::bias_add<float, 256>` is not the one that the launch's `args` and "
        "the dtypes demand: `__global__ void mine::bias_add<float, 256>(const float* x, const float* bias, float* "
        "out, int64_t P);`");
}

TEST(NameExpressionBuild, SaysWhyAnExpressionNamesNoKernel) {
    NEEDS_NVRTC();
    EXPECT_EQ(testing::cuda_build(request_of("mine::bias_add<float, BLOCK>")).reason,
              "bias_add.cu:4: `mine::bias_add<float, BLOCK>` names no kernel: identifier \"BLOCK\" is undefined");
    EXPECT_THAT(testing::cuda_build(request_of("mine::softmax<float>")).reason,
                HasSubstr("`mine::softmax<float>` names no kernel: namespace \"mine\" has no member \"softmax\""));
    EXPECT_THAT(testing::cuda_build(request_of("mine::bias_add<float>")).reason,
                HasSubstr("names no kernel: cannot determine which"));
    EXPECT_THAT(testing::cuda_build(request_of("::no_kernel")).reason, HasSubstr("non-__global__ function"));
    EXPECT_THAT(testing::cuda_build(request_of("late<float>",
                                               "template <class T>\n__global__ void late(const T*, const T*, T*, "
                                               "long long, long long);\n"))
                    .reason,
                HasSubstr("nothing defines `late<float>`"));
}

TEST(NameExpressionBuild, SaysThatAParameterHasATunablesName) {
    NEEDS_NVRTC();
    std::string text = source;
    for (std::size_t i = text.find("THREADS"); i != text.npos; i = text.find("THREADS", i)) {
        text.replace(i, std::string("THREADS").size(), "num_warps");
    }
    EXPECT_THAT(testing::cuda_build(request_of("mine::bias_add<float, num_warps>", text)).reason,
                HasSubstr("`num_warps` is a tunable, a macro: give the template's parameter another name"));
}

TEST(NameExpressionBuild, NamesTheLineOfAnErrorInTheInstance) {
    NEEDS_NVRTC();
    const BuildResult result =
        testing::cuda_build(request_of("twice<float>",
                                       "#include <stdint.h>\ntemplate <class T>\n__global__ void twice(const T* "
                                       "x, const T*, T* out, int64_t, int64_t) {\n    out[0] = x->none;\n}\n"));
    ASSERT_EQ(result.status, Status::build_failed);
    EXPECT_THAT(result.reason, StartsWith("bias_add.cu:4: "));
}

TEST(NameExpressionBuild, NamesTheInstanceThatIsOverALimit) {
    NEEDS_NVRTC();
    const BuildResult threads = testing::cuda_build(request_of("mine::bias_add<float, 128>"));
    EXPECT_EQ(threads.status, Status::over_limit);
    EXPECT_EQ(threads.reason,
              "`mine::bias_add<float, 128>`: a block of 256 threads is more than the 128 of its `__launch_bounds__`: "
              "launch fewer, or raise the bound");
    const BuildResult shared = testing::cuda_build(request_of("big<float>", R"(#include <stdint.h>
template <class T> __global__ void big(const T* x, const T*, T* out, int64_t, int64_t D) {
    __shared__ T kept[60000];
    kept[threadIdx.x] = x[D];
    __syncthreads();
    out[0] = kept[D];
}
)"));
    EXPECT_EQ(shared.status, Status::over_limit);
    EXPECT_THAT(shared.reason, HasSubstr("240000")) << shared.log;
}

}  // namespace
}  // namespace kernelgen

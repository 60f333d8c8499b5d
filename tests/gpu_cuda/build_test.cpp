// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "gpu/cuda/device_model.h"
#include "gpu/cuda/toolkit_headers.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

using testing::cuda_backend;
using testing::cuda_request;
using testing::cuda_source;

/// A comment that no build before had.
TEST(CudaBuild, GivesACubinWithItsResourcesAndOccupancy) {
    NEEDS_NVRTC();
    const BuildResult result = testing::cuda_build(cuda_request(cuda_source("", testing::fresh_comment())));
    ASSERT_EQ(result.status, Status::ok) << result.reason << result.log;
    EXPECT_FALSE(result.cached);
    EXPECT_EQ(result.artifact.language, Language::cuda);
    EXPECT_TRUE(std::filesystem::exists(result.artifact.path)) << result.artifact.path;
    EXPECT_GT(result.resources.at("registers"), 4);
    EXPECT_EQ(result.resources.at("spill_store_bytes"), 0);
    EXPECT_EQ(result.resources.at("threads_per_block"), 256);
    EXPECT_EQ(result.resources.at("dynamic_shared_bytes"), 0);
    EXPECT_GT(result.resources.at("occupancy"), 0.5);
    EXPECT_FALSE(result.occupancy_limiter.empty());
    EXPECT_TRUE(result.texts.empty());
}

TEST(CudaBuild, ComesFromTheCacheTheSecondTime) {
    NEEDS_NVRTC();
    BuildRequest request = cuda_request(cuda_source("", testing::fresh_comment()));
    const BuildResult first = testing::cuda_build(request);
    request.texts = {"ptx"};
    const BuildResult second = testing::cuda_build(request);
    EXPECT_FALSE(first.cached);
    EXPECT_TRUE(second.cached);
    EXPECT_EQ(first.key, second.key);
    EXPECT_EQ(first.resources, second.resources);
    EXPECT_EQ(first.occupancy_limiter, second.occupancy_limiter);
    EXPECT_NE(second.texts.at("ptx").find(".entry bias_add("), std::string::npos);
}

TEST(CudaBuild, SharesACubinBetweenDevicesOfOneArchitecture) {
    NEEDS_NVRTC();
    const std::string text = cuda_source("", testing::fresh_comment());
    const BuildResult h200 = testing::cuda_build(cuda_request(text, "cuda:h200")),
                      h100 = testing::cuda_build(cuda_request(text, "cuda:h100"));
    EXPECT_EQ(h200.key, h100.key);
    EXPECT_TRUE(h100.cached);
    EXPECT_NE(testing::cuda_build(cuda_request(text, "cuda:a100")).key, h200.key);
}

TEST(CudaBuild, WorksForEveryDeviceModel) {
    NEEDS_NVRTC();
    const auto models = device_models();
    ASSERT_TRUE(models);
    for (const DeviceModel& model : *models) {
        const BuildResult result = testing::cuda_build(cuda_request(cuda_source(), "cuda:" + model.id));
        EXPECT_EQ(result.status, Status::ok) << model.id << ": " << result.reason;
    }
}

TEST(CudaBuild, WithoutADriverIsForTheDefaultModel) {
    NEEDS_NVRTC();
    const std::string text = cuda_source("", testing::fresh_comment());
    if (cuda_backend()->start_executor("cuda:0", {}, {})) GTEST_SKIP() << "a GPU is here";
    EXPECT_EQ(testing::cuda_build(cuda_request(text, "cuda:0")).key,
              testing::cuda_build(cuda_request(text, "cuda:h200")).key);
}

TEST(CudaBuild, NamesTheLineOfTheUsersSource) {
    NEEDS_NVRTC();
    const BuildResult result =
        testing::cuda_build(cuda_request("#include <cstdint>\n\n    __device__ int broken = ;\n"));
    ASSERT_EQ(result.status, Status::build_failed);
    ASSERT_FALSE(result.messages.empty());
    EXPECT_EQ(result.messages[0].file, "bias_add.cu");
    EXPECT_EQ(result.messages[0].line, 3);
    EXPECT_EQ(result.messages[0].column, 29);
    EXPECT_TRUE(result.reason.text().starts_with("bias_add.cu:3: ")) << result.reason;
}

TEST(CudaBuild, NamesTheLineOfInlinePtxThatPtxasRefuses) {
    NEEDS_NVRTC();
    const BuildResult result = testing::cuda_build(cuda_request(R"(#include <cstdint>
__device__ __forceinline__ float twice(float v) {
    float r;
    asm("add.f32 %0, %1, no_register;" : "=f"(r) : "f"(v));
    return r;
}
extern "C" __global__ void bias_add(const float* x, const float* bias, float* out, int64_t P, int64_t D) {
    float y;
    asm volatile("bogus.f32 %0, %1;" : "=f"(y) : "f"(x[0] + bias[0]));
    out[0] = twice(y);
}
)"));
    ASSERT_EQ(result.status, Status::build_failed);
    ASSERT_GE(result.messages.size(), 2u);
    EXPECT_EQ(result.messages[0].file, "bias_add.cu");
    EXPECT_EQ(result.messages[0].line, 9);
    EXPECT_TRUE(result.reason.text().starts_with("bias_add.cu:9: ")) << result.reason;
    EXPECT_NE(result.reason.text().find("in PTX `bogus.f32"), std::string::npos) << result.reason;
    EXPECT_EQ(result.messages[1].line, 4) << result.messages[1].text;
}

TEST(CudaBuild, SaysWhatSignatureTheLaunchDemands) {
    NEEDS_NVRTC();
    const BuildResult result = testing::cuda_build(
        cuda_request("extern \"C\" __global__ void bias_add(const float* x, float* out, int n) { out[n] = x[n]; }"));
    ASSERT_EQ(result.status, Status::build_failed);
    EXPECT_NE(result.reason.text().find("the signature of `bias_add` is not the one"), std::string::npos)
        << result.reason;
    EXPECT_NE(result.reason.text().find("float* out, int64_t P, int64_t D)"), std::string::npos) << result.reason;
}

TEST(CudaBuild, SaysThatTheSourceDoesNotEnd) {
    NEEDS_NVRTC();
    const std::string kernel =
        "extern \"C\" __global__ void bias_add(const float* x, const float* bias, float* out,\n"
        "    long long P, long long D) { out[0] = x[P] + bias[D]; ";
    for (const char* ending : {"\n", "}\nnamespace open {\n", "}\nint three = 3\n", "}\nstruct S {\n    int a;\n"}) {
        for (const char* head : {"", "#include <stdint.h>\n"}) {
            const BuildResult result = testing::cuda_build(cuda_request(head + kernel + ending));
            EXPECT_EQ(result.status, Status::build_failed);
            EXPECT_NE(result.reason.text().find("the source ends inside an open block"), std::string::npos)
                << result.log;
            EXPECT_EQ(result.reason.text().find("signature"), std::string::npos) << result.reason;
        }
    }
}

TEST(CudaBuild, SaysThatAKernelIsMissing) {
    NEEDS_NVRTC();
    const BuildResult result =
        testing::cuda_build(cuda_request("extern \"C\" __global__ void another(float* x) { *x = 1; }"));
    ASSERT_EQ(result.status, Status::build_failed);
    EXPECT_NE(result.reason.text().find("nothing defines `bias_add`"), std::string::npos) << result.reason;
}

TEST(CudaBuild, TakesSourcesThatIncludeTheCLibrarysHeaders) {
    NEEDS_NVRTC();
    const std::string head =
        "#include <cuda_runtime.h>\n#include <cstdint>\n#include <math.h>\n#include <cfloat>\n#include <climits>\n"
        "#include <cstddef>\n#include <assert.h>\n#include <stdio.h>\n";
    const BuildResult result = testing::cuda_build(cuda_request(cuda_source(
        "    assert(D > 0);\n    if (P > INT_MAX && x[0] < -FLT_MAX && x[0] != INFINITY) printf(\"%g\", M_PI);",
        head)));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(CudaBuild, TakesTheToolkitsHeadersWhereTheyAre) {
    NEEDS_NVRTC();
    if (toolkit_include_folders(*find_nvrtc()).empty()) GTEST_SKIP() << "NVRTC came without the toolkit's headers";
    const BuildResult result = testing::cuda_build(
        cuda_request(cuda_source("    if (P < 0) out[0] = __half2float(__float2half(x[0]));",
                                 "#include <cuda_fp16.h>\n#include <cuda/std/cstdint>\n#include <cuda/std/limits>\n")));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_TRUE(result.messages.empty()) << result.log;
}

TEST(CudaBuild, CountsSpilledRegisters) {
    NEEDS_NVRTC();
    BuildRequest request = cuda_request(
        cuda_source("    float kept[200];\n    for (int i = 0; i < 200; ++i) kept[i] = x[i];\n    __syncthreads();\n"
                    "    for (int i = 199; i >= 0; --i) out[i] = kept[i] * kept[(i * 7) % 200];"));
    request.implementation.variant.flags = {"--maxrregcount=32"};
    const BuildResult result = testing::cuda_build(request);
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_LE(result.resources.at("registers"), 32);
    EXPECT_GT(result.resources.at("spill_store_bytes") + result.resources.at("stack_bytes"), 0);
}

TEST(CudaBuild, CountsSpilledRegistersOfAFunctionThatIsNotInlined) {
    NEEDS_NVRTC();
    BuildRequest request =
        cuda_request(cuda_source("    helper(out, (int)D);",
                                 "__noinline__ void helper(float* x, int n) {\n    float kept[100];\n"
                                 "    for (int i = 0; i < 100; ++i) kept[i] = x[i];\n    __syncthreads();\n"
                                 "    for (int i = 0; i < 100; ++i) x[i + n] = kept[i] * kept[(i * 7) % 100];\n}\n"));
    request.implementation.variant.flags = {"--maxrregcount=32"};
    const BuildResult result = testing::cuda_build(request);
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GT(result.resources.at("spill_store_bytes"), 0) << result.log;
    EXPECT_GT(result.resources.at("spill_load_bytes"), 0) << result.log;
}

TEST(CudaBuild, RefusesABlockOfTooManyThreads) {
    NEEDS_NVRTC();
    BuildRequest request = cuda_request(cuda_source());
    request.implementation.configuration["num_warps"] = 64;
    const BuildResult result = testing::cuda_build(request);
    EXPECT_EQ(result.status, Status::over_limit);
    EXPECT_EQ(result.reason, "`bias_add`: a block of 2048 threads is more than the 1024 that NVIDIA H200 can start");
    EXPECT_GT(result.resources.at("registers"), 4);
}

TEST(CudaBuild, RefusesABlockThatNoGpuCanStart) {
    NEEDS_NVRTC();
    const auto reason_of = [](const std::vector<std::string>& block, const std::string& shared_bytes = "") {
        BuildRequest request = cuda_request(cuda_source());
        request.implementation.variant.launches[0].block = block;
        request.implementation.variant.launches[0].shared_bytes = shared_bytes;
        const BuildResult result = testing::cuda_build(request);
        EXPECT_EQ(result.status, result.reason.empty() ? Status::ok : Status::over_limit);
        return result.reason;
    };
    EXPECT_EQ(reason_of({"2", "8", "64"}), "");
    EXPECT_EQ(reason_of({"D", "1024"}), "");
    EXPECT_EQ(reason_of({"1", "1", "65"}), "`bias_add`: launch.block gives 65 threads along z: give 1 to 64");
    EXPECT_EQ(reason_of({"D", "1025"}), "`bias_add`: launch.block gives 1025 threads along y: give 1 to 1024");
    EXPECT_EQ(reason_of({"num_warps - 8"}), "`bias_add`: launch.block gives 0 threads along x: give 1 to 1024");
    EXPECT_EQ(reason_of({"32", "-1"}), "`bias_add`: launch.block gives -1 threads along y: give 1 to 1024");
    EXPECT_EQ(reason_of({"32"}, "num_warps - 12"), "`bias_add`: launch.shared_bytes is -4: give 0 or more");
}

TEST(CudaBuild, RefusesABlockBeyondTheKernelsLaunchBounds) {
    NEEDS_NVRTC();
    std::string text = cuda_source();
    text.replace(text.find("void bias_add"), 0, "__launch_bounds__(128) ");
    BuildRequest request = cuda_request(text);
    const BuildResult result = testing::cuda_build(request);
    EXPECT_EQ(result.status, Status::over_limit);
    EXPECT_EQ(result.reason,
              "`bias_add`: a block of 256 threads is more than the 128 of its `__launch_bounds__`: launch fewer, or "
              "raise the bound");
    request.implementation.configuration["num_warps"] = 4;
    EXPECT_EQ(testing::cuda_build(request).status, Status::ok);
}

TEST(CudaBuild, RefusesMoreSharedMemoryThanABlockHas) {
    NEEDS_NVRTC();
    BuildRequest request = cuda_request(cuda_source());
    request.implementation.variant.launches[0].shared_bytes = "num_warps * 20000";
    EXPECT_EQ(testing::cuda_build(request).status, Status::ok);
    request.device = "cuda:t4";
    const BuildResult result = testing::cuda_build(request);
    EXPECT_EQ(result.status, Status::over_limit);
    EXPECT_NE(result.reason.text().find("160000 bytes of shared memory are more than the 65536"), std::string::npos)
        << result.reason;
}

TEST(CudaBuild, RefusesMoreLocalMemoryThanAThreadHas) {
    NEEDS_NVRTC();
    const auto status_of = [](const std::string& elements) {
        return testing::cuda_build(cuda_request(cuda_source("    volatile float stack[" + elements +
                                                            "];\n    stack[D % 7] = x[P];\n"
                                                            "    out[0] = stack[P % 7];\n")));
    };
    EXPECT_EQ(status_of("1 << 16").status, Status::ok);
    const BuildResult result = status_of("1 << 18");
    EXPECT_EQ(result.status, Status::over_limit);
    EXPECT_EQ(result.reason,
              "`bias_add`: 1048576 bytes of local memory are more than the 524288 that a GPU has for a thread");
}

TEST(CudaBuild, SaysWhatToDoAboutTooMuchStaticSharedMemory) {
    NEEDS_NVRTC();
    const std::string before =
        "    __shared__ float tile[20000];\n    tile[threadIdx.x] = x[D];\n    __syncthreads();\n    out[0] = tile[P];";
    const BuildResult result = testing::cuda_build(cuda_request(cuda_source(before), "cuda:a100"));
    EXPECT_EQ(result.status, Status::over_limit);
    EXPECT_NE(result.reason.text().find("80000"), std::string::npos) << result.reason;
    EXPECT_EQ(testing::cuda_build(cuda_request(cuda_source(before), "cuda:h200")).status, Status::ok);
}

TEST(CudaBuild, LeavesOutWhatDependsOnTheCase) {
    NEEDS_NVRTC();
    BuildRequest request = cuda_request(cuda_source());
    request.implementation.variant.launches[0].shared_bytes = "4 * D";
    const BuildResult result = testing::cuda_build(request);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_FALSE(result.resources.contains("dynamic_shared_bytes"));
    EXPECT_FALSE(result.resources.contains("occupancy"));
    EXPECT_TRUE(result.resources.contains("registers"));
}

TEST(CudaBuild, TakesTheLargestOfSeveralLaunches) {
    NEEDS_NVRTC();
    BuildRequest request =
        cuda_request(cuda_source() +
                     "extern \"C\" __global__ void finish(float* out) { __shared__ float s[512]; s[threadIdx.x] = 1;\n"
                     "    __syncthreads(); out[0] = s[out[1] > 0]; }\n");
    Launch finish;
    finish.entry = "finish";
    finish.grid = {"1"};
    finish.block = {"512"};
    finish.args = {"out"};
    request.implementation.variant.launches.push_back(finish);
    const BuildResult result = testing::cuda_build(request);
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_EQ(result.resources.at("threads_per_block"), 512);
    EXPECT_EQ(result.resources.at("static_shared_bytes"), 2048);
}

TEST(CudaBuild, StopsWhenToldTo) {
    NEEDS_NVRTC();
    std::stop_source stop;
    const std::string slow = "    float s = 0;\n    EIGHT(EIGHT(EIGHT(EIGHT(s = sinf(s + x[0]);))))\n    out[0] = s;";
    const std::string eight = "#define EIGHT(x) x x x x x x x x\n";
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        stop.request_stop();
    });
    const BuildRequest request = cuda_request(cuda_source(slow, eight + testing::fresh_comment()));
    EXPECT_EQ(cuda_backend()->build(request, {}, stop.get_token()).status, Status::cancelled);
}

TEST(CudaBuild, IsUnavailableWithoutACompiler) {
    ::setenv("KERNELGEN_NVRTC", "/nowhere/libnvrtc.so", 1);
    const BuildResult result = testing::cuda_build(cuda_request(cuda_source()));
    ::unsetenv("KERNELGEN_NVRTC");
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_NE(result.reason.text().find("/nowhere/libnvrtc.so"), std::string::npos) << result.reason;
}

TEST(CudaBuild, IsUnavailableForAModelThatDoesNotExist) {
    const BuildResult result = testing::cuda_build(cuda_request(cuda_source(), "cuda:h2000"));
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_NE(result.reason.text().find("there are: a10, a100"), std::string::npos) << result.reason;
}

TEST(CudaBuild, IsUnavailableForAnotherLanguage) {
    BuildRequest request = cuda_request(cuda_source());
    request.implementation.variant.language = Language::cpp;
    EXPECT_EQ(testing::cuda_build(request).status, Status::unavailable);
}

TEST(CudaBuild, SaysWhenThereIsNoDisassembler) {
    NEEDS_NVRTC();
    BuildRequest request = cuda_request(cuda_source());
    request.texts = {"sass"};
    const BuildResult result = testing::cuda_build(request);
    ASSERT_EQ(result.status, Status::ok);
    if (result.texts.contains("sass")) {
        EXPECT_NE(result.texts.at("sass").find("EXIT"), std::string::npos);
    } else {
        ASSERT_FALSE(result.messages.empty());
        EXPECT_NE(result.messages.back().text.text().find("nvdisasm"), std::string::npos);
    }
}

}  // namespace
}  // namespace kernelgen

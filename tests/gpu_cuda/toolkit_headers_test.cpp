// SPDX-License-Identifier: Apache-2.0
// Headers of the CUDA toolkit in a kernel: CUB, libcu++, cooperative groups, the types of 16 bits.
#include "gpu/cuda/toolkit_headers.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using testing::cuda_backend;
using testing::cuda_request;
using testing::cuda_source;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Without tunables, for <cooperative_groups.h> has parameters of the name `num_warps`.
BuildRequest untuned_request_of(const std::string& text) {
    BuildRequest request = cuda_request(text);
    request.implementation.variant.tunables.clear();
    request.implementation.configuration.clear();
    request.implementation.variant.launches[0].block = {"256"};
    return request;
}

#define NEEDS_CUB() \
    NEEDS_NVRTC();  \
    if (toolkit_include_folders(*find_nvrtc()).size() < 2) GTEST_SKIP() << "no CUB beside this NVRTC"

TEST(ToolkitHeaders, MakeAKernelWithCubBesideTheCLibrarysHeaders) {
    NEEDS_CUB();
    const BuildResult result = testing::cuda_build(untuned_request_of(cuda_source(
        "    using Reduce = cub::BlockReduce<float, 256>;\n    __shared__ Reduce::TempStorage storage;\n"
        "    const float sum = Reduce(storage).Sum(x[threadIdx.x] > -INFINITY ? x[D] : NAN);\n"
        "    auto block = cooperative_groups::this_thread_block();\n    block.sync();\n"
        "    if (cuda::std::is_same_v<DTYPE, float> && P < 0) out[0] = __float2half(sum);",
        "#include <math.h>\n#include <float.h>\n#include <stddef.h>\n#include <cub/block/block_reduce.cuh>\n"
        "#include <cub/warp/warp_scan.cuh>\n#include <cuda/std/type_traits>\n"
        "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n")));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_TRUE(result.messages.empty()) << result.log;
    EXPECT_GT(result.resources.at("static_shared_bytes"), 0);
}

TEST(ToolkitHeaders, MayBeIncludedBeforeTheCLibrarysHeaders) {
    NEEDS_CUB();
    const BuildResult result = testing::cuda_build(untuned_request_of(
        cuda_source("    if (P < 0) out[0] = -INFINITY;", "#include <cub/block/block_load.cuh>\n#include <math.h>\n")));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_TRUE(result.messages.empty()) << result.log;
}

TEST(ToolkitHeaders, ForTheHostSaySo) {
    NEEDS_CUB();
    for (const char* header : {"cub/device/device_reduce.cuh", "thrust/device_vector.h"}) {
        const BuildResult result =
            testing::cuda_build(cuda_request(cuda_source("", "#include <" + std::string(header) + ">")));
        EXPECT_EQ(result.status, Status::build_failed);
        EXPECT_THAT(result.reason, HasSubstr("this header of the toolkit has code for the host")) << header;
    }
}

TEST(ToolkitHeaders, WithTheNameOfATunableSaySo) {
    NEEDS_CUB();
    const BuildResult result = testing::cuda_build(cuda_request(cuda_source("", "#include <cooperative_groups.h>")));
    EXPECT_EQ(result.status, Status::build_failed);
    EXPECT_THAT(result.reason, HasSubstr("the tunable `num_warps`, a macro: give the tunable another name"));
}

TEST(ToolkitHeaders, OfLibcudaxxAreNamedWhereTheCppLibrarysAreIncluded) {
    NEEDS_CUB();
    const BuildResult result = testing::cuda_build(cuda_request(cuda_source("", "#include <type_traits>")));
    EXPECT_EQ(result.reason,
              "bias_add.cu:2: cannot open source file \"type_traits\"; NVRTC has no C++ library: include "
              "<cuda/std/type_traits>, whose names are in `cuda::std`");
}

TEST(ToolkitHeaders, ThatAreNotHereAreSaidToBeTheToolkits) {
    std::vector<CompilerMessage> messages = {{"a.cu", 1, 0, "error", "cannot open source file \"cub/cub.cuh\""},
                                             {"a.cu", 2, 0, "error", "cannot open source file \"cub/cub.cuh\""}};
    explain_error({}, {}, messages);
    EXPECT_THAT(messages[0].text, HasSubstr("no CUDA toolkit is beside NVRTC"));
    EXPECT_EQ(messages[1].text, "cannot open source file \"cub/cub.cuh\"");
    messages = {{"a.cu", 1, 0, "error", "cannot open source file \"mine.h\""}};
    explain_error({}, {}, messages);
    EXPECT_EQ(messages[0].text, "cannot open source file \"mine.h\"");
}

TEST(ToolkitHeaders, AreThoseOfAnInstalledToolkitWhereNoneAreBesideTheLibrary) {
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    ASSERT_TRUE(folder);
    fs::create_directories(folder->path / "include" / "cccl");
    ASSERT_TRUE(write_file_atomic(folder->path / "include" / "cuda_fp16.h", ""));
    ::setenv("CUDA_HOME", folder->path.c_str(), 1);
    const auto found =
        toolkit_include_folders({.path = "/nowhere/lib/libnvrtc.so", .version = "", .architectures = {}});
    ::unsetenv("CUDA_HOME");
    EXPECT_THAT(found, ElementsAre(folder->path / "include", folder->path / "include" / "cccl"));
}

TEST(ToolkitHeaders, ThatChangeMakeAnotherBuild) {
    const Result<ScratchFolder> toolkit = ScratchFolder::create(fs::temp_directory_path());
    ASSERT_TRUE(toolkit);
    const fs::path library = toolkit->path / "lib64" / "libnvrtc.so", include = toolkit->path / "include";
    fs::create_directories(library.parent_path());
    fs::create_directories(include / "cccl" / "cub");
    fs::copy(KERNELGEN_FAKE_NVRTC, library);
    const auto write = [](const fs::path& file, const std::string& text) {
        ASSERT_TRUE(write_file_atomic(file, text));
        std::this_thread::sleep_for(std::chrono::milliseconds(60));  // older than any build that reads it
    };
    write(include / "cuda_fp16.h", "");
    write(include / "cccl" / "cub" / "cub.cuh", "#include <cub/part.cuh>\n");
    write(include / "cccl" / "cub" / "part.cuh", "// first\n");
    ::setenv("KERNELGEN_NVRTC", library.c_str(), 1);
    const BuildRequest request = cuda_request(cuda_source("", "#include <cub/cub.cuh>"));
    const BuildResult first = testing::cuda_build(request), again = testing::cuda_build(request);
    write(include / "cccl" / "cub" / "part.cuh", "// changed\n");
    const BuildResult changed = testing::cuda_build(request);
    ::unsetenv("KERNELGEN_NVRTC");
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_TRUE(again.cached);
    EXPECT_FALSE(changed.cached);
    EXPECT_NE(changed.key, first.key);
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
// CUDA builds of several files: those of the project, which come with the request, and those of this machine.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/backend/build_cache.h"
#include "core/base/file.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using testing::cuda_backend;
using testing::cuda_request;
using testing::cuda_source;
using ::testing::HasSubstr;

/// bias_add by `add(x, bias)`, which a file that `head` includes defines.
BuildRequest request_with(const std::string& head, SourceFiles files) {
    std::string text = cuda_source("", head);
    const std::string sum = "x[blockIdx.x * D + d] + bias[d]";
    text.replace(text.find(sum), sum.size(), "add(x[blockIdx.x * D + d], bias[d])");
    BuildRequest request = cuda_request(text);
    request.implementation.files = std::move(files);
    return request;
}

const std::string add = "#pragma once\ninline __device__ DTYPE add(DTYPE a, DTYPE b) { return a + b; }\n";

TEST(CudaIncludedFiles, OfTheProjectAreFoundWithAndWithoutAFlag) {
    NEEDS_NVRTC();
    for (const std::string flag : {"", "-I."}) {
        BuildRequest request = request_with("#include \"helper.cuh\"", {{"helper.cuh", add}});
        if (!flag.empty()) request.implementation.variant.flags = {flag};
        EXPECT_EQ(testing::cuda_build(request).status, Status::ok) << flag << testing::cuda_build(request).reason;
    }
}

TEST(CudaIncludedFiles, AreFoundFromASourceInAFolderAndFromEachOther) {
    NEEDS_NVRTC();
    BuildRequest request = request_with("#include \"near.cuh\"\n#include \"inc/far.cuh\"",
                                        {{"kernels/near.cuh", "#include \"sub/deep.cuh\"\n"},
                                         {"kernels/sub/deep.cuh", "#include \"sibling.cuh\"\n"},
                                         {"kernels/sub/sibling.cuh", "#include \"../../inc/far.cuh\"\n"},
                                         {"inc/far.cuh", add}});
    request.implementation.variant.source = "kernels/bias_add.cu";
    EXPECT_EQ(testing::cuda_build(request).status, Status::ok) << testing::cuda_build(request).reason;
}

TEST(CudaIncludedFiles, ThatChangeMakeAnotherBuild) {
    NEEDS_NVRTC();
    const std::string comment = testing::fresh_comment();
    BuildRequest request = request_with("#include \"helper.cuh\"", {{"helper.cuh", comment + add}});
    const BuildResult first = testing::cuda_build(request), again = testing::cuda_build(request);
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_TRUE(again.cached);
    request.implementation.files["helper.cuh"] = comment + "// edited\n" + add;
    const BuildResult edited = testing::cuda_build(request);
    EXPECT_FALSE(edited.cached);
    EXPECT_NE(edited.key, first.key);
}

TEST(CudaIncludedFiles, ThatAreMissingOrWrongAreSaidWithTheProjectsFileAndLine) {
    NEEDS_NVRTC();
    const BuildResult missing =
        testing::cuda_build(request_with("#include \"helper.cuh\"", {{"helper.cuh", "\n#include \"gone.cuh\"\n"}}));
    ASSERT_EQ(missing.status, Status::build_failed);
    EXPECT_THAT(missing.reason, ::testing::StartsWith("helper.cuh:2: "));
    EXPECT_THAT(missing.reason, HasSubstr("gone.cuh"));
    BuildRequest request = request_with("#include \"größe und form/teil.cuh\"",
                                        {{"größe und form/teil.cuh", add + "__device__ int broken = ;\n"}});
    request.implementation.variant.flags = {"-I."};
    const BuildResult wrong = testing::cuda_build(request);
    ASSERT_EQ(wrong.status, Status::build_failed);
    EXPECT_EQ(wrong.messages[0].file, "größe und form/teil.cuh");
    EXPECT_EQ(wrong.messages[0].line, 3);
}

TEST(CudaSeveralSources, AreOneTranslationUnit) {
    NEEDS_NVRTC();
    BuildRequest request = request_with("#include \"helper.cuh\"\n__device__ DTYPE twice(DTYPE value);\n",
                                        {{"helper.cuh", add},
                                         {"parts/part.cu",
                                          "#include \"near.cuh\"\n"
                                          "__device__ DTYPE twice(DTYPE value) { return K * value; }\n"},
                                         {"parts/near.cuh", "#define K 2\n"}});
    request.implementation.variant.sources = {"parts/part.cu"};
    EXPECT_EQ(testing::cuda_build(request).status, Status::ok) << testing::cuda_build(request).reason;
    request.implementation.variant.source = "kernels/bias_add.cu";
    EXPECT_EQ(testing::cuda_build(request).status, Status::ok) << testing::cuda_build(request).reason;
    request.implementation.files["parts/part.cu"] += "int broken = ;\n";
    const BuildResult wrong = testing::cuda_build(request);
    ASSERT_EQ(wrong.status, Status::build_failed);
    EXPECT_THAT(wrong.reason, ::testing::StartsWith("parts/part.cu:3: "));
}

TEST(CudaOutsideFiles, ThatChangeAreBuiltAgain) {
    NEEDS_NVRTC();
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    ASSERT_TRUE(folder);
    const auto header = [&](const std::string& text) {
        ASSERT_TRUE(write_file_atomic(folder->path / "inner.cuh", text));
        std::this_thread::sleep_for(std::chrono::milliseconds(60));  // older than any build that reads it
    };
    ASSERT_TRUE(write_file_atomic(folder->path / "outside.cuh", "#include \"inner.cuh\"\n"));
    header(testing::fresh_comment() + add);
    BuildRequest request = request_with("#include <outside.cuh>", {});
    request.implementation.variant.flags = {"-I" + folder->path.string()};
    const BuildResult first = testing::cuda_build(request), again = testing::cuda_build(request);
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_TRUE(again.cached);
    header(testing::fresh_comment() + add);
    const BuildResult changed = testing::cuda_build(request);
    EXPECT_FALSE(changed.cached);
    EXPECT_NE(changed.key, first.key);
}

}  // namespace
}  // namespace kernelgen

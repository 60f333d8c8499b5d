// SPDX-License-Identifier: Apache-2.0
// Tests what surrounds the compiler, with a stand-in for it: these run where there is no NVRTC.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "core/base/file.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

using testing::cuda_backend;
using testing::cuda_request;

/// A text that no build before had.
std::string fresh(const std::string& words = "") {
    return "// " + words + " " + std::to_string(::getpid()) + " " +
           std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + "\n";
}

class CompilerProcess : public ::testing::Test {
protected:
    void SetUp() override { ::setenv("KERNELGEN_NVRTC", KERNELGEN_FAKE_NVRTC, 1); }
    void TearDown() override { ::unsetenv("KERNELGEN_NVRTC"); }
};

TEST_F(CompilerProcess, LeavesCubinAndPtxAndTellsTheResources) {
    BuildRequest request = cuda_request(fresh());
    request.texts = {"ptx"};
    const BuildResult result = cuda_backend()->build(request, {}, {});
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_EQ(read_file(result.artifact.path).value_or(""), "cubin");
    EXPECT_TRUE(result.texts.at("ptx").starts_with(".visible .entry bias_add(\n")) << result.texts.at("ptx");
    EXPECT_EQ(result.messages.at(0).severity, "warning");
    EXPECT_EQ(result.resources.at("registers"), 40);
    EXPECT_EQ(result.resources.at("stack_bytes"), 16);
    EXPECT_EQ(result.resources.at("spill_store_bytes"), 8);
    EXPECT_EQ(result.resources.at("spill_load_bytes"), 4);
    EXPECT_EQ(result.resources.at("static_shared_bytes"), 1024);
    // 40 registers a thread are 1280 a warp: 12 warps in a quarter of the file, 48 of 64 in all.
    EXPECT_EQ(result.resources.at("occupancy"), 0.75);
    EXPECT_EQ(result.occupancy_limiter, "registers");
}

TEST_F(CompilerProcess, BuildsAgainWhenAFileOfTheCacheIsGone) {
    const BuildRequest request = cuda_request(fresh());
    const auto backend = cuda_backend();
    const BuildResult first = backend->build(request, {}, {});
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_TRUE(backend->build(request, {}, {}).cached);
    std::filesystem::remove(first.artifact.path);
    const BuildResult second = backend->build(request, {}, {});
    EXPECT_FALSE(second.cached);
    EXPECT_EQ(second.status, Status::ok);
}

TEST_F(CompilerProcess, ThatCrashesIsAFailedBuildWithTheSignal) {
    const BuildResult result = cuda_backend()->build(cuda_request(fresh("CRASH")), {}, {});
    EXPECT_EQ(result.status, Status::build_failed);
    EXPECT_NE(result.reason.text().find("SIGABRT"), std::string::npos) << result.reason;
}

TEST_F(CompilerProcess, GivesOnlyTheCauseWhereItCannotWrite) {
    const BuildResult result = cuda_backend()->build(cuda_request(fresh("UNWRITABLE")), {}, {});
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_NE(result.reason.text().find("kernel.cubin"), std::string::npos) << result.reason;
    EXPECT_EQ(result.reason.text().find('\n'), std::string::npos) << result.reason;
    EXPECT_EQ(result.reason.text().find("ptxas"), std::string::npos) << result.reason;
}

TEST_F(CompilerProcess, EndsWhenTheBuildIsCancelled) {
    std::stop_source stop;
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        stop.request_stop();
    });
    EXPECT_EQ(cuda_backend()->build(cuda_request(fresh("HANG")), {}, stop.get_token()).status, Status::cancelled);
}

TEST_F(CompilerProcess, IsNotAskedForAnArchitectureThatItDoesNotKnow) {
    const BuildResult result = cuda_backend()->build(cuda_request(fresh(), "cuda:a100"), {}, {});
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_NE(result.reason.text().find("NVRTC 13.9 does not compile for sm_80"), std::string::npos) << result.reason;
    EXPECT_NE(result.reason.text().find("it knows sm_75, sm_90"), std::string::npos) << result.reason;
}

}  // namespace
}  // namespace kernelgen

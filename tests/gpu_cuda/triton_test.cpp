// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/python/interpreter.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/triton_resources.h"

namespace kernelgen {
namespace {

TEST(TritonResources, AreTheLargestOfAllKernelsWithTheLowestOccupancy) {
    const DeviceModel h200 = find_device_model("h200").value();
    const std::vector<TrialKernel> kernels = {
        {"first", {{"num_warps", 4}, {"num_stages", 3}, {"shared_bytes", 1024}, {"registers", 32}}},
        {"second", {{"num_warps", 8}, {"shared_bytes", 0}, {"registers", 255}, {"spilled_registers", 2}}}};
    BuildResult result;
    add_triton_resources(h200, kernels, result);
    EXPECT_EQ(result.resources.at("registers"), 255);
    EXPECT_EQ(result.resources.at("spill_store_bytes"), 8);
    EXPECT_EQ(result.resources.at("dynamic_shared_bytes"), 1024);
    EXPECT_EQ(result.resources.at("threads_per_block"), 256);
    EXPECT_EQ(result.resources.at("num_stages"), 3);
    EXPECT_EQ(result.resources.at("blocks_per_multiprocessor"), 1);  // 65536 registers / (256 threads × 256)
    EXPECT_EQ(result.occupancy_limiter, "registers");
}

TEST(TritonResources, OfAVersionThatDoesNotTellRegistersHaveNoOccupancy) {
    BuildResult result;
    add_triton_resources(find_device_model("h200").value(), {{"k", {{"num_warps", 4}}}}, result);
    EXPECT_EQ(result.resources.at("num_warps"), 4);
    EXPECT_FALSE(result.resources.contains("occupancy"));
}

BuildRequest copy_request(const std::string& text) {
    BuildRequest request;
    request.device = "cuda:h200";
    request.definition.name = "copy";
    request.definition.symbols = {"N"};
    request.definition.inputs = {{"x", {"N"}, {}}};
    request.definition.outputs = {{"out", {"N"}, {}}};
    Variant& variant = request.implementation.variant;
    variant.name = "triton";
    variant.language = Language::triton;
    variant.source = "copy_triton.py";
    variant.entry = "copy";
    request.implementation.text = text;
    request.trial = Sizes{{"N", 4096}};
    request.texts = {"ptx", "ttgir"};
    return request;
}

const std::string copy_kernel = R"(import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < N), mask=at < N)


def copy(x):
    out = torch.empty_like(x)
    copy_kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256, num_warps=8)
    return out
)";

/// A skip's reason, or "".
std::string missing() {
#if defined(KERNELGEN_SANITIZED)
    return "a library with sanitizers cannot be loaded by Python";
#endif
    const Result<PythonInterpreter>& interpreter = python_interpreter();
    return interpreter ? interpreter->lacks(Language::triton, "cpu").value_or("") : interpreter.error().message;
}

TEST(TritonBuild, ForADeviceModelTellsWhatTheKernelTakesWithoutAGpu) {
    if (const std::string reason = missing(); !reason.empty()) GTEST_SKIP() << reason;
    const auto backend = make_cuda_backend(KERNELGEN_PROGRAM);
    const BuildResult result = backend->build(copy_request(copy_kernel), {}, {});
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_EQ(result.resources.at("threads_per_block"), 256);
    EXPECT_GT(result.resources.at("registers"), 0);
    EXPECT_GT(result.resources.at("occupancy"), 0);
    EXPECT_THAT(result.texts.at("ptx"), ::testing::HasSubstr(".target sm_90"));
    EXPECT_THAT(result.texts.at("ttgir"), ::testing::HasSubstr("copy_kernel"));
}

TEST(TritonBuild, OfAKernelThatDoesNotCompileNamesFileAndLine) {
    if (const std::string reason = missing(); !reason.empty()) GTEST_SKIP() << reason;
    std::string broken = copy_kernel;
    broken.insert(broken.find("at = tl.program_id"), "tl.static_assert(BLOCK == 3, 'no')\n    ");
    const auto backend = make_cuda_backend(KERNELGEN_PROGRAM);
    const BuildResult result = backend->build(copy_request(broken), {}, {});
    EXPECT_EQ(result.status, Status::build_failed);
    EXPECT_THAT(result.reason, ::testing::HasSubstr("copy_triton.py:8"));
    ASSERT_FALSE(result.messages.empty());
    EXPECT_EQ(result.messages[0].line, 8) << result.reason;
}

TEST(TritonBuild, WithoutATrialOnlyReadsTheFile) {
    if (!python_interpreter()) GTEST_SKIP() << python_interpreter().error().message;
    BuildRequest request = copy_request("raise SystemExit(1)\n\n\ndef copy(x):\n    return x\n");
    request.trial.reset();
    const auto backend = make_cuda_backend(KERNELGEN_PROGRAM);
    const BuildResult result = backend->build(request, {}, {});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_TRUE(result.resources.empty());
}

}  // namespace
}  // namespace kernelgen

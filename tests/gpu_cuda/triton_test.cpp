// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/python/interpreter.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/triton_resources.h"

namespace kernelgen {
namespace {

using nlohmann::json;

TEST(TritonResources, AreTheLargestOfAllKernelsWithTheLowestOccupancy) {
    const DeviceModel h200 = find_device_model("h200").value();
    const json kernels = {
        {{"name", "first"}, {"num_warps", 4}, {"num_stages", 3}, {"shared_bytes", 1024}, {"registers", 32}},
        {{"name", "second"}, {"num_warps", 8}, {"shared_bytes", 0}, {"registers", 255}, {"spilled_registers", 2}}};
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
    add_triton_resources(find_device_model("h200").value(), {{{"name", "k"}, {"num_warps", 4}}}, result);
    EXPECT_EQ(result.resources.at("num_warps"), 4);
    EXPECT_FALSE(result.resources.contains("occupancy"));
}

TEST(TritonBuild, ForADeviceModelReadsTheFileAndSaysSo) {
    if (!python_interpreter()) GTEST_SKIP() << python_interpreter().error().message;
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
    request.implementation.text = "raise SystemExit(1)\n\ndef copy(x):\n    return x.clone()\n";
    request.trial = Sizes{{"N", 8}};
    const auto backend = make_cuda_backend(KERNELGEN_PROGRAM);
    const BuildResult result = backend->build(request, {});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    ASSERT_EQ(result.messages.size(), 1u);
    EXPECT_THAT(result.messages[0].text, ::testing::HasSubstr("Triton compiles on a GPU"));
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/occupancy.h"

#include <gtest/gtest.h>

#include "gpu/cuda/residency.h"

namespace kernelgen {
namespace {

struct Golden {
    const char* device;
    int threads, registers, shared_bytes;
    int blocks;
    const char* limiter;
};

// By cudaOccMaxActiveBlocksPerMultiprocessor of NVIDIA's cuda_occupancy.h (CUDA 13.0), shared memory preferred.
constexpr Golden golden[] = {
    {"t4", 256, 32, 0, 4, "threads"},
    {"t4", 256, 65, 0, 3, "registers"},
    {"t4", 128, 40, 12288, 5, "shared memory"},
    {"t4", 1024, 32, 40960, 1, "shared memory and threads"},
    {"t4", 96, 168, 1024, 4, "registers"},
    {"t4", 32, 16, 0, 16, "blocks"},
    {"t4", 256, 24, 49152, 1, "shared memory"},
    {"t4", 512, 128, 0, 1, "registers"},
    {"a100", 256, 32, 0, 8, "registers and threads"},
    {"a100", 256, 65, 0, 3, "registers"},
    {"a100", 128, 40, 12288, 12, "registers and shared memory"},
    {"a100", 1024, 32, 40960, 2, "registers and threads"},
    {"a100", 96, 168, 1024, 4, "registers"},
    {"a100", 32, 16, 0, 32, "blocks"},
    {"a100", 256, 24, 49152, 3, "shared memory"},
    {"a100", 512, 128, 0, 1, "registers"},
    {"a10", 256, 32, 0, 6, "threads"},
    {"a10", 256, 65, 0, 3, "registers"},
    {"a10", 128, 40, 12288, 7, "shared memory"},
    {"a10", 1024, 32, 40960, 1, "threads"},
    {"a10", 96, 168, 1024, 4, "registers"},
    {"a10", 32, 16, 0, 16, "blocks"},
    {"a10", 256, 24, 49152, 2, "shared memory"},
    {"a10", 512, 128, 0, 1, "registers"},
    {"l4", 256, 32, 0, 6, "threads"},
    {"l4", 256, 65, 0, 3, "registers"},
    {"l4", 128, 40, 12288, 7, "shared memory"},
    {"l4", 1024, 32, 40960, 1, "threads"},
    {"l4", 96, 168, 1024, 4, "registers"},
    {"l4", 32, 16, 0, 24, "blocks"},
    {"l4", 256, 24, 49152, 2, "shared memory"},
    {"l4", 512, 128, 0, 1, "registers"},
    {"h200", 256, 32, 0, 8, "registers and threads"},
    {"h200", 256, 65, 0, 3, "registers"},
    {"h200", 128, 40, 12288, 12, "registers"},
    {"h200", 1024, 32, 40960, 2, "registers and threads"},
    {"h200", 96, 168, 1024, 4, "registers"},
    {"h200", 32, 16, 0, 32, "blocks"},
    {"h200", 256, 24, 49152, 4, "shared memory"},
    {"h200", 512, 128, 0, 1, "registers"},
    {"b200", 256, 32, 0, 8, "registers and threads"},
    {"b200", 256, 65, 0, 3, "registers"},
    {"b200", 128, 40, 12288, 12, "registers"},
    {"b200", 1024, 32, 40960, 2, "registers and threads"},
    {"b200", 96, 168, 1024, 4, "registers"},
    {"b200", 32, 16, 0, 32, "blocks"},
    {"b200", 256, 24, 49152, 4, "shared memory"},
    {"b200", 512, 128, 0, 1, "registers"},
    {"rtx5090", 256, 32, 0, 6, "threads"},
    {"rtx5090", 256, 65, 0, 3, "registers"},
    {"rtx5090", 128, 40, 12288, 7, "shared memory"},
    {"rtx5090", 1024, 32, 40960, 1, "threads"},
    {"rtx5090", 96, 168, 1024, 4, "registers"},
    {"rtx5090", 32, 16, 0, 24, "blocks"},
    {"rtx5090", 256, 24, 49152, 2, "shared memory"},
    {"rtx5090", 512, 128, 0, 1, "registers"},
};

TEST(Occupancy, IsThatOfNvidiasCalculator) {
    for (const Golden& each : golden) {
        const Result<DeviceModel> device = find_device_model(each.device);
        ASSERT_TRUE(device) << device.error().message;
        const BlockNeeds needs{each.threads, each.registers, each.shared_bytes};
        const Occupancy occupancy = occupancy_of(*device, needs);
        EXPECT_EQ(exceeded_limit(*device, needs), "");
        EXPECT_EQ(occupancy.blocks, each.blocks) << each.device << " " << each.threads << " " << each.registers;
        EXPECT_EQ(occupancy.limiter, each.limiter) << each.device << " " << each.threads << " " << each.registers;
    }
}

TEST(Occupancy, IsAFractionOfTheWarpsOfAMultiprocessor) {
    const Occupancy occupancy = occupancy_of(*find_device_model("h200"), {96, 168, 1024});
    EXPECT_EQ(occupancy.warps, 12);
    EXPECT_DOUBLE_EQ(occupancy.fraction, 12.0 / 64);
}

TEST(Occupancy, CountsAPartOfAWarpAsAWhole) {
    EXPECT_EQ(occupancy_of(*find_device_model("h200"), {33, 32, 0}).warps, 2 * 32);
}

TEST(Occupancy, HasNoBlockBeyondALimitAndSaysWhichWithTheNumbers) {
    const DeviceModel h200 = *find_device_model("h200");
    EXPECT_EQ(exceeded_limit(h200, {1025, 32, 0}),
              "a block of 1025 threads is more than the 1024 that NVIDIA H200 can start");
    EXPECT_EQ(exceeded_limit(h200, {1024, 65, 0}),
              "1024 threads of 65 registers need 73728 registers; a block has 65536 on NVIDIA H200");
    EXPECT_EQ(exceeded_limit(h200, {128, 32, 232449}),
              "232449 bytes of shared memory are more than the 232448 of a block on NVIDIA H200");
    EXPECT_EQ(exceeded_limit(h200, {1024, 64, 232448}), "");
}

TEST(DeviceModels, AreFoundByTheirIds) {
    const auto models = device_models();
    ASSERT_TRUE(models) << models.error().message;
    for (const DeviceModel& model : *models) {
        EXPECT_TRUE(model.architecture.starts_with("sm_")) << model.id;
        EXPECT_GE(model.shared_per_multiprocessor, model.shared_per_block + model.shared_reserved_per_block)
            << model.id;
        EXPECT_EQ(find_device_model(model.id)->name, model.name);
    }
    EXPECT_EQ(find_device_model("h200")->architecture, "sm_90a");
}

TEST(DeviceModels, AreFoundByTheNamesThatDriversReport) {
    const auto id_of = [](const std::string& hardware) {
        Environment environment;
        environment.hardware = hardware;
        const auto model = model_of(environment);
        return model ? model->id : "";
    };
    EXPECT_EQ(id_of("NVIDIA H200"), "h200");
    EXPECT_EQ(id_of("NVIDIA H100 80GB HBM3"), "h100");
    EXPECT_EQ(id_of("NVIDIA H100 PCIe"), "");  // has fewer multiprocessors
}

TEST(DeviceModels, SayWhichThereAreForAnUnknownId) {
    const auto model = find_device_model("h20");
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.text().find("a100, b200"), std::string::npos) << model.error().message;
}

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the sample projects compile from the oldest architecture to the newest, and can be launched.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/project/by_case.h"
#include "core/project/launch_plan.h"
#include "core/project/project_file.h"
#include "gpu/cuda/device_model.h"
#include "gpu/cuda/occupancy.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

std::vector<std::string> sample_projects() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(KERNELGEN_SOURCE_DIR "/projects")) {
        if (entry.is_directory()) names.push_back(entry.path().filename().string());
    }
    return names;
}

/// What the project's rules choose for a case on a device of this model.
Implementation implementation_on(const DeviceModel& model, const Project& project, const Variant& variant,
                                 const Case& binding) {
    return for_case({variant, source_text(project, variant).value(), configuration_of(variant), {}, numbers_of(model)},
                    binding);
}

/// Why the first launch cannot start on the model; its static shared memory is that of the `built` kernel.
std::string why_not_launched(const DeviceModel& model, const Project& project, const Implementation& implementation,
                             const Case& binding, const BuildResult* built = nullptr) {
    const auto plan = plan_launches(project.definition, implementation, binding);
    if (!plan) return plan.error().message.text();
    const PlannedLaunch& launch = plan->launches.front();
    BlockNeeds needs;
    needs.threads = launch.block[0];
    needs.shared_bytes = launch.shared_bytes;
    if (built) needs.shared_bytes += static_cast<std::int64_t>(built->resources.at("static_shared_bytes"));
    return exceeded_limit(model, needs).text();
}

class Samples : public ::testing::TestWithParam<std::string> {};

TEST_P(Samples, CudaVariantsBuildForOldAndNewDevices) {
    NEEDS_NVRTC();
    const Validated<Project> project = load_project(KERNELGEN_SOURCE_DIR "/projects/" + GetParam());
    ASSERT_TRUE(project) << to_string(project.error());
    const auto backend = testing::cuda_backend();
    for (const Variant& variant : project->variants) {
        if (variant.language != Language::cuda) continue;
        for (const Case& each : project->cases) {
            for (const std::string device : {"t4", "h200"}) {
                const Implementation implementation =
                    implementation_on(find_device_model(device).value(), *project, variant, each);
                const BuildResult result =
                    backend->build({project->definition, implementation, each.dtype, "cuda:" + device, {}}, {}, {});
                EXPECT_EQ(result.status, Status::ok)
                    << variant.name << ", " << each.name << " on " << device << ": " << result.reason << "\n"
                    << result.log;
                if (result.status != Status::ok) continue;
                // Tiles of 192 x 128 for heads of 64 elements use all registers, and are the fastest all the same.
                // Operands of 8 bits, and rows that a table of blocks scatters, need more than there are.
                const std::string& name = project->definition.name;
                const double most = name == "attention_fp8"         ? 124
                                    : name == "attention_paged"     ? 80
                                    : name.starts_with("attention") ? 16
                                                                    : 0;
                EXPECT_LE(result.resources.at("spill_store_bytes"), most) << variant.name << ", " << each.name;
            }
        }
    }
}

TEST_P(Samples, WhatTheRulesChooseCanBeLaunchedOnAllDevices) {
    const Validated<Project> project = load_project(KERNELGEN_SOURCE_DIR "/projects/" + GetParam());
    ASSERT_TRUE(project) << to_string(project.error());
    const Result<std::vector<DeviceModel>> models = device_models();
    ASSERT_TRUE(models) << models.error().message;
    for (const Variant& variant : project->variants) {
        if (variant.language != Language::cuda) continue;
        for (const Case& each : project->cases) {
            for (const DeviceModel& model : *models) {
                const Implementation chosen = implementation_on(model, *project, variant, each);
                EXPECT_EQ(why_not_launched(model, *project, chosen, each), "")
                    << variant.name << ", " << each.name << " on " << model.id;
                if (!chosen.configuration.contains("TURNS")) continue;  // no attention by tensor cores
                const auto decode = chosen.configuration.find("DECODE");
                const bool has_few_rows = decode != chosen.configuration.end() && decode->second > 0;
                const DType operands = project->definition.inputs[0].dtype.value_or(each.dtype);
                EXPECT_EQ(chosen.configuration.at("COPY_WARPS") > 0,
                          operands != DType::f32 && !has_few_rows && model.architecture == "sm_90a")
                    << each.name << " on " << model.id;
            }
        }
    }
}

/// Where other processors have as much shared memory as sm_90a, a tile for its tensor cores can be launched there, too.
TEST(SampleOfAttention, HasTilesForTensorCoresThatRunElsewhere) {
    NEEDS_NVRTC();
    const Validated<Project> project = load_project(KERNELGEN_SOURCE_DIR "/projects/attention");
    ASSERT_TRUE(project) << to_string(project.error());
    const Variant& variant = *project->find_variant("cuda");
    Case binding = project->cases.front();
    binding.dtype = DType::bf16;
    binding.sizes["D"] = 128;
    for (const std::int64_t columns : {1024, 4096}) {
        binding.sizes["N"] = binding.sizes["M"] = columns;
        Implementation chosen = implementation_on(find_device_model("h200").value(), *project, variant, binding);
        ASSERT_EQ(chosen.configuration.at("COPY_WARPS"), 4);
        const DeviceModel other = find_device_model("b200").value();
        chosen.device = numbers_of(other);
        chosen.variant.configurations.clear();
        const BuildResult built =
            testing::cuda_backend()->build({project->definition, chosen, binding.dtype, "cuda:b200", {}}, {}, {});
        ASSERT_EQ(built.status, Status::ok) << built.reason << built.log;
        EXPECT_EQ(why_not_launched(other, *project, chosen, binding, &built), "") << columns;
    }
}

INSTANTIATE_TEST_SUITE_P(Projects, Samples, ::testing::ValuesIn(sample_projects()),
                         [](const auto& sample) { return sample.param; });

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the sample projects compile from the oldest architecture to the newest.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/project/by_case.h"
#include "core/project/project_file.h"
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

/// An old and a new one, with the numbers by which a project's rules choose.
const std::map<std::string, Sizes> devices = {{"cuda:t4", {{"multiprocessors", 40}, {"shared_per_block", 65536}}},
                                              {"cuda:h200", {{"multiprocessors", 132}, {"shared_per_block", 232448}}}};

class Samples : public ::testing::TestWithParam<std::string> {};

TEST_P(Samples, CudaVariantsBuildForOldAndNewDevices) {
    NEEDS_NVRTC();
    const Validated<Project> project = load_project(KERNELGEN_SOURCE_DIR "/projects/" + GetParam());
    ASSERT_TRUE(project) << to_string(project.error());
    const auto backend = testing::cuda_backend();
    for (const Variant& variant : project->variants) {
        if (variant.language != Language::cuda) continue;
        for (const Case& each : project->cases) {
            for (const auto& [device, numbers] : devices) {
                const Implementation implementation = for_case(
                    {variant, source_text(*project, variant).value(), configuration_of(variant), {}, numbers}, each);
                const BuildResult result =
                    backend->build({project->definition, implementation, each.dtype, device, {}}, {}, {});
                EXPECT_EQ(result.status, Status::ok)
                    << variant.name << ", " << each.name << " on " << device << ": " << result.reason << "\n"
                    << result.log;
                if (result.status != Status::ok) continue;
                EXPECT_EQ(result.resources.at("spill_store_bytes"), 0) << variant.name << ", " << each.name;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Projects, Samples, ::testing::ValuesIn(sample_projects()),
                         [](const auto& sample) { return sample.param; });

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels that `kernelgen selftest` must refuse are built as it builds them, so that none of them rots.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/engine/hostile.h"
#include "core/project/source_files.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

struct HostileBuild {
    BuildRequest request;
    std::vector<Status> ends;
};

void PrintTo(const HostileBuild& build, std::ostream* out) { *out << build.request.implementation.variant.name; }

std::vector<HostileBuild> cuda_builds(const std::string& part) {
    const auto folder = std::filesystem::path(KERNELGEN_SOURCE_DIR) / "resources" / "selftest" / part;
    const Validated<HostileProject> hostile = load_hostile(folder);
    if (!hostile) return {};
    std::vector<HostileBuild> builds;
    for (const Variant& variant : hostile->project.variants) {
        if (variant.language != Language::cuda) continue;
        const auto attempt = std::ranges::find(hostile->attempts, variant.name, &HostileAttempt::variant);
        BuildRequest request;
        request.definition = hostile->project.definition;
        request.implementation = read_implementation(hostile->project, variant).value();
        builds.push_back({request, attempt->ends});
    }
    return builds;
}

class HostileKernel : public ::testing::TestWithParam<HostileBuild> {};

/// One that must end otherwise is built; what the build itself refuses is refused with that status.
TEST_P(HostileKernel, IsBuiltUnlessTheBuildIsWhatMustRefuseIt) {
    NEEDS_NVRTC();
    for (const char* device : {"cuda:h200", "cuda:a100", "cuda:t4"}) {
        BuildRequest request = GetParam().request;
        request.device = device;
        const BuildResult built = testing::cuda_backend()->build(request, {}, {});
        const bool is_refused = std::ranges::contains(GetParam().ends, built.status);
        EXPECT_TRUE(built.status == Status::ok || is_refused) << device << ": " << built.reason << "\n" << built.log;
        const bool must_fail = GetParam().ends == std::vector{Status::build_failed};
        EXPECT_EQ(built.status == Status::build_failed, must_fail) << device << ": " << built.reason;
    }
}

const auto name_of = [](const auto& each) { return each.param.request.implementation.variant.name; };

INSTANTIATE_TEST_SUITE_P(Faults, HostileKernel, ::testing::ValuesIn(cuda_builds("faults")), name_of);
INSTANTIATE_TEST_SUITE_P(Cheats, HostileKernel, ::testing::ValuesIn(cuda_builds("cheats")), name_of);

}  // namespace
}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
// The PyTorch functions that `kernelgen selftest` must refuse are read as it reads them, so that none of them rots.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/engine/hostile.h"
#include "core/project/source_files.h"
#include "tests/core_python/variants.h"

namespace kernelgen {
namespace {

TEST(HostileFunctions, AllHaveASyntaxAndAnEntry) {
    NEEDS(Language::torch);
    const auto folder = std::filesystem::path(KERNELGEN_SOURCE_DIR) / "resources" / "selftest" / "cheats";
    const HostileProject cheats = load_hostile(folder).value();
    const auto backend = testing::own_backend();
    int count = 0;
    for (const Variant& variant : cheats.project.variants) {
        if (variant.language != Language::torch) continue;
        BuildRequest request;
        request.definition = cheats.project.definition;
        request.implementation = read_implementation(cheats.project, variant).value();
        const BuildResult built = backend->build(request, testing::no_progress, {});
        EXPECT_EQ(built.status, Status::ok) << variant.name << ": " << built.reason;
        ++count;
    }
    EXPECT_GE(count, 15);
}

}  // namespace
}  // namespace kernelgen

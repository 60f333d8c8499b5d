// SPDX-License-Identifier: Apache-2.0
// The kernels with which devices are measured and tested compile from the oldest architecture to Hopper.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/file.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

std::vector<std::filesystem::path> own_kernels() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"ceilings", "cuda", "selftest/faults"}) {
        const auto place = std::filesystem::path(KERNELGEN_SOURCE_DIR) / "resources" / folder;
        for (const auto& entry : std::filesystem::directory_iterator(place)) {
            if (entry.path().extension() == ".cu") files.push_back(entry.path());
        }
    }
    return files;
}

class OwnKernels : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(OwnKernels, CompileForEveryArchitectureButTheOneThatMustNot) {
    NEEDS_NVRTC();
    const NvrtcLibrary nvrtc = find_nvrtc().value();
    for (const std::string architecture : {"sm_75", "sm_80", "sm_90a"}) {
        const NvrtcProgram program{
            GetParam().filename().string(),
            read_file(GetParam()).value(),
            {"--std=c++20", "-arch=" + architecture, "-default-device", "-DDTYPE=float",
             "-I" + (resource_folder() / "include").string(), "-I" + (resource_folder() / "nvrtc").string()}};
        const Result<NvrtcOutput> output = compile_with_nvrtc(nvrtc.path, program);
        ASSERT_TRUE(output) << output.error().message;
        EXPECT_EQ(output->compiled, GetParam().stem() != "does_not_compile") << architecture << "\n" << output->log;
    }
}

INSTANTIATE_TEST_SUITE_P(Resources, OwnKernels, ::testing::ValuesIn(own_kernels()),
                         [](const auto& file) { return file.param.stem().string(); });

}  // namespace
}  // namespace kernelgen

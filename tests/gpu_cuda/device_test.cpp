// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/process.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/device_kernel.h"
#include "gpu/cuda/driver.h"
#include "gpu/cuda/library_places.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

std::unique_ptr<Backend> backend() { return make_cuda_backend(KERNELGEN_PROGRAM); }

#define NEEDS_NO_DRIVER() \
    if (cuda::driver()) GTEST_SKIP() << "this machine has an NVIDIA driver"

TEST(CudaDevice, IsListedAsUnavailableWithTheReasonWhereThereIsNoDriver) {
    NEEDS_NO_DRIVER();
    const std::vector<DeviceInfo> devices = backend()->devices();
    const auto first = std::ranges::find(devices, "cuda:0", &DeviceInfo::name);
    ASSERT_NE(first, devices.end());
    EXPECT_FALSE(first->available);
    EXPECT_NE(first->reason.text().find("install one"), std::string::npos) << first->reason;
}

TEST(CudaDevice, StartsNoExecutorAndMeasuresNothingWithoutADriver) {
    NEEDS_NO_DRIVER();
    const auto executor = backend()->start_executor("cuda:0", {}, {});
    ASSERT_FALSE(executor);
    EXPECT_NE(executor.error().message.text().find("driver"), std::string::npos) << executor.error().message;
    EXPECT_FALSE(backend()->measure_ceilings("cuda:0", [](std::string_view, int, int) {}, {}));
}

TEST(CudaDevice, IsNotBuiltForWhereItsNameIsNone) {
    NEEDS_NO_DRIVER();
    for (const char* device : {"cuda:", "cuda:7", "cuda:00", "cuda:99999999999999999999", "cuda:h2000"}) {
        const BuildResult result = backend()->build(testing::cuda_request(testing::cuda_source(), device), {}, {});
        EXPECT_EQ(result.status, Status::unavailable) << device;
        EXPECT_NE(result.reason.text().find("`kernelgen devices`"), std::string::npos)
            << device << ": " << result.reason;
    }
}

TEST(CudaDevice, RunsEndUnavailableInTheProgramToo) {
    NEEDS_NO_DRIVER();
    Command command{.arguments = {KERNELGEN_PROGRAM, "verify", KERNELGEN_SOURCE_DIR "/projects/softmax", "--device",
                                  "cuda:0", "--variant", "cuda"},
                    .environment = {},
                    .folder = {},
                    .descriptors = {}};
    const Result<Finished> finished = run_to_end(command);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->exit.status, 4) << finished->output;
}

TEST(CudaStatus, TellsALostContextFromARefusedRequest) {
    EXPECT_EQ(cuda::outcome_of(cuda::success, "x").status, Status::ok);
    EXPECT_EQ(cuda::outcome_of(cuda::out_of_memory, "x").status, Status::over_limit);
    EXPECT_EQ(cuda::outcome_of(cuda::launch_out_of_resources, "x").status, Status::over_limit);
    EXPECT_EQ(cuda::outcome_of(cuda::invalid_value, "x").status, Status::launch_failed);
    constexpr cuda::Code illegal_address = 700, assertion = 710;
    EXPECT_EQ(cuda::outcome_of(illegal_address, "x").status, Status::crashed);
    EXPECT_TRUE(cuda::is_sticky(assertion));
    EXPECT_FALSE(cuda::is_sticky(cuda::launch_out_of_resources));
}

TEST(CudaLibrary, IsOnlyLookedForWhereTheUserNamesIt) {
    ::setenv("KERNELGEN_TEST_LIBRARY", "/somewhere/libcudnn.so.9", 1);
    EXPECT_EQ(cuda::library_places("KERNELGEN_TEST_LIBRARY", {"libcudnn.so.9"}, "cudnn"),
              std::vector<std::string>{"/somewhere/libcudnn.so.9"});
    ::unsetenv("KERNELGEN_TEST_LIBRARY");
    EXPECT_EQ(cuda::library_places("KERNELGEN_TEST_LIBRARY", {"libcudnn.so.9"}, "cudnn").front(), "libcudnn.so.9");
}

}  // namespace
}  // namespace kernelgen

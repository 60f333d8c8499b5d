// SPDX-License-Identifier: Apache-2.0
// The neighbour that takes a GPU's bandwidth, with a driver of this test.
#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "gpu/cuda/device_neighbour.h"

namespace kernelgen::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Stream const of_kernel = reinterpret_cast<Stream>(1), of_neighbour = reinterpret_cast<Stream>(2);

/// What the driver was asked to put into streams, in order.
struct Asked {
    std::vector<std::string> calls;
    float rate = 0;
    bool starts = true;  ///< whether the neighbour's blocks run once they are launched
};
Asked asked;

std::string stream_name(Stream stream) { return stream == of_neighbour ? "neighbour" : "kernel"; }

Driver test_driver() {
    Driver driver{};
    driver.device_attribute = [](int* value, DeviceAttribute, Device) { return *value = 100, success; };
    driver.load_module = [](Module*, const void*) { return success; };
    driver.get_function = [](Function*, Module, const char*) { return success; };
    driver.create_stream = [](Stream* stream, unsigned flags) {
        return *stream = flags == independent_stream ? of_neighbour : nullptr, success;
    };
    driver.allocate_host = [](void** memory, std::size_t bytes, unsigned) {
        return *memory = std::calloc(1, bytes), success;
    };
    driver.host_pointer = [](Pointer* address, void* memory, unsigned) {
        return *address = reinterpret_cast<Pointer>(memory), success;
    };
    driver.memory_info = [](std::size_t* free, std::size_t* total) { return *free = *total = 1 << 30, success; };
    driver.allocate = [](Pointer* address, std::size_t bytes) {
        return *address = reinterpret_cast<Pointer>(std::malloc(bytes)), success;
    };
    driver.release = [](Pointer address) { return std::free(reinterpret_cast<void*>(address)), success; };
    driver.set_bytes = [](Pointer, unsigned char value, std::size_t, Stream stream) {
        asked.calls.push_back((value == 0 ? "work in " : "end in ") + stream_name(stream));
        return success;
    };
    driver.launch = [](Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream stream,
                       void** parameters, void**) {
        asked.calls.push_back("launch in " + stream_name(stream));
        asked.rate = *static_cast<float*>(parameters[2]);
        if (asked.starts) **static_cast<std::int32_t**>(parameters[3]) = 1;
        return success;
    };
    driver.synchronize_stream = [](Stream) { return success; };
    return driver;
}

class Neighbour : public ::testing::Test {
protected:
    void SetUp() override {
        asked = {};
        const std::string cubin = ::testing::TempDir() + "neighbour.cubin";
        ASSERT_TRUE(write_file_atomic(cubin, "x"));
        Result<TimingModule> kernels = TimingModule::load(driver_, cubin);
        ASSERT_TRUE(kernels);
        const DeviceContext context{.driver = &driver_, .stream = of_kernel, .l2_bytes = 1 << 20};
        Result<DeviceNeighbour> made = DeviceNeighbour::create(context, *kernels);
        ASSERT_TRUE(made) << made.error().message;
        neighbour_.emplace(std::move(*made));
    }

    Driver driver_ = test_driver();
    std::optional<DeviceNeighbour> neighbour_;
};

TEST_F(Neighbour, IsLaunchedOnceWhenItIsMadeAndEndsAtOnce) {
    EXPECT_THAT(asked.calls, ElementsAre("end in neighbour", "launch in neighbour"));
}

TEST_F(Neighbour, WorksOnItsOwnStreamUntilTheKernelsEndsIt) {
    asked.calls.clear();
    ASSERT_EQ(neighbour_->start(1200).status, Status::ok);
    ASSERT_EQ(neighbour_->end(of_kernel).status, Status::ok);
    EXPECT_THAT(asked.calls, ElementsAre("work in neighbour", "launch in neighbour", "end in kernel"));
    EXPECT_FLOAT_EQ(asked.rate, 12);  // bytes that each of the 100 blocks moves in a nanosecond
}

TEST_F(Neighbour, ThatDoesNotStartIsReported) {
    asked.starts = false;
    const Outcome started = neighbour_->start(1200);
    EXPECT_EQ(started.status, Status::launch_failed);
    EXPECT_THAT(started.reason.text(), HasSubstr("did not start within 2 s"));
}

}  // namespace
}  // namespace kernelgen::cuda

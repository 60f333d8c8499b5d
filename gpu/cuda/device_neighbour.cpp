// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/device_neighbour.h"

#include <chrono>
#include <thread>

#include "gpu/cuda/device_kernel.h"

namespace kernelgen::cuda {

namespace {

constexpr std::size_t rings_of_l2 = 8;  ///< what is fetched is as large as so many L2 caches
constexpr double least_gbps = 0.1;
constexpr std::chrono::seconds start_limit{2};

constexpr const char* starting_it = "starting the neighbour that takes bandwidth";

Result<void> started(Code code) {
    if (code == success) return {};
    return fail(std::string("timing: ") + starting_it + ": " + error_text(code));
}

}  // namespace

Result<DeviceNeighbour> DeviceNeighbour::create(const DeviceContext& context, const TimingModule& kernels) {
    DeviceNeighbour neighbour(context.driver, kernels);
    if (const auto allocated = neighbour.allocate(context); !allocated) return std::unexpected(allocated.error());
    // The driver may load a kernel only when it is first launched, and that would wait for a stream that is held.
    if (const Outcome ended = neighbour.end(neighbour.stream_); !ended.ok()) return fail(ended.reason);
    if (const Outcome launched = neighbour.launch(least_gbps); !launched.ok()) return fail(launched.reason);
    const Code code = context.driver->synchronize_stream(neighbour.stream_);
    if (const auto tried = started(code); !tried) return std::unexpected(tried.error());
    return neighbour;
}

Result<void> DeviceNeighbour::allocate(const DeviceContext& context) {
    int multiprocessors = 0;
    Code code = driver_->device_attribute(&multiprocessors, DeviceAttribute::multiprocessors, context.device);
    blocks_ = static_cast<unsigned>(multiprocessors);
    if (code == success) code = driver_->create_stream(&stream_, independent_stream);
    void* pinned = nullptr;
    if (code == success) code = driver_->allocate_host(&pinned, sizeof(std::int32_t), host_memory_mapped);
    if (code == success) code = driver_->host_pointer(&running_address_, pinned, 0);
    running_ = static_cast<std::int32_t*>(pinned);
    if (const auto made = started(code); !made) return made;
    Result<DeviceMemory> ring = DeviceMemory::allocate(*driver_, rings_of_l2 * context.l2_bytes);
    if (!ring) return std::unexpected(ring.error());
    ring_ = std::move(*ring);
    Result<DeviceMemory> ended = DeviceMemory::allocate(*driver_, sizeof(std::int32_t));
    if (!ended) return std::unexpected(ended.error());
    ended_ = std::move(*ended);
    return {};
}

Outcome DeviceNeighbour::launch(double gbps) const {
    const auto rate = static_cast<float>(gbps / blocks_);  // 1e9 bytes a second are a byte a nanosecond
    return kernels_.neighbour(ring_, blocks_, rate, running_address_, ended_.address(), stream_);
}

Outcome DeviceNeighbour::start(double gbps) const {
    using Clock = std::chrono::steady_clock;
    *running_ = 0;
    const Code code = driver_->set_bytes(ended_.address(), 0, ended_.bytes(), stream_);
    if (code != success) return outcome_of(code, starting_it);
    if (const Outcome launched = launch(gbps); !launched.ok()) return launched;
    const Clock::time_point limit = Clock::now() + start_limit;
    while (*running_ == 0) {
        if (Clock::now() > limit)
            return {Status::launch_failed, "the neighbour that takes bandwidth did not start within 2 s"};
        std::this_thread::yield();
    }
    return {};
}

Outcome DeviceNeighbour::end(Stream stream) const {
    return outcome_of(driver_->set_bytes(ended_.address(), 1, ended_.bytes(), stream),
                      "ending the neighbour that takes bandwidth");
}

}  // namespace kernelgen::cuda

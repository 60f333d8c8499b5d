// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/timing_module.h"

#include <algorithm>

#include "core/base/file.h"
#include "gpu/cuda/device_kernel.h"

namespace kernelgen::cuda {

Result<TimingModule> TimingModule::load(const Driver& driver, const std::string& cubin) {
    const Result<std::string> image = read_file(cubin);
    if (!image) return std::unexpected(image.error());
    const auto refused = [](const std::string& doing, Code code) {
        return fail("timing: " + doing + ": " + error_text(code));
    };
    Module module = nullptr;
    if (const Code code = driver.load_module(&module, image->data()); code != success)
        return refused("loading " + cubin, code);
    TimingModule loaded(driver);
    for (const auto& [name, function] :
         {std::pair{"hold", &loaded.hold_}, std::pair{"flush", &loaded.flush_}, std::pair{"stamp", &loaded.stamp_},
          std::pair{"checksum", &loaded.checksum_}, std::pair{"enter_state", &loaded.enter_state_},
          std::pair{"neighbour", &loaded.neighbour_}}) {
        if (const Code code = driver.get_function(function, module, name); code != success) return refused(name, code);
    }
    return loaded;
}

Outcome TimingModule::launch(Function function, unsigned blocks, unsigned threads, void** parameters,
                             Stream stream) const {
    return outcome_of(driver_->launch(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr),
                      "preparing a timing");
}

Outcome TimingModule::hold(Pointer released, Stream stream) const {
    void* parameters[] = {&released};
    return launch(hold_, 1, 1, parameters, stream);
}

Outcome TimingModule::flush(const DeviceMemory& memory, Stream stream) const {
    Pointer data = memory.address(), never = memory.address();
    std::int64_t elements = static_cast<std::int64_t>(memory.bytes() / sizeof(float));
    void* parameters[] = {&data, &never, &elements};
    return launch(flush_, 1024, 256, parameters, stream);
}

Outcome TimingModule::stamp(Pointer target, Stream stream) const {
    void* parameters[] = {&target};
    return launch(stamp_, 1, 1, parameters, stream);
}

Outcome TimingModule::checksum(Pointer data, std::size_t bytes, std::uint64_t key, Pointer sum, Stream stream) const {
    constexpr std::size_t threads = 256, bytes_a_thread = 64, most_blocks = 2048;
    auto length = static_cast<std::int64_t>(bytes);
    const auto blocks =
        static_cast<unsigned>(std::clamp<std::size_t>(bytes / threads / bytes_a_thread, 1, most_blocks));
    void* parameters[] = {&data, &length, &key, &sum};
    return launch(checksum_, blocks, threads, parameters, stream);
}

Outcome TimingModule::enter_state(Pointer base, Pointer patches, unsigned count, Pointer contents, std::uint64_t state,
                                  Stream stream) const {
    void* parameters[] = {&base, &patches, &contents, &state};
    return launch(enter_state_, std::max(count, 1u), 64, parameters, stream);
}

Outcome TimingModule::neighbour(const DeviceMemory& memory, unsigned blocks, float bytes_per_ns, Pointer running,
                                Pointer ended, Stream stream) const {
    constexpr unsigned threads = 32;
    Pointer data = memory.address();
    auto bytes = static_cast<std::int64_t>(memory.bytes());
    void* parameters[] = {&data, &bytes, &bytes_per_ns, &running, &ended};
    return launch(neighbour_, blocks, threads, parameters, stream);
}

}  // namespace kernelgen::cuda

// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/timed_buffers.h"

namespace kernelgen::cuda {
namespace {

std::size_t end_of(const std::vector<Region>& regions) {
    return regions.empty() ? 0 : regions.back().offset + regions.back().bytes;
}

}  // namespace

Result<TimedBuffers> TimedBuffers::allocate(const Driver& driver, const Layout (&layouts)[2], int rotations) {
    TimedBuffers buffers;
    buffers.layout_ = layouts[0];
    const std::size_t shared = std::max(end_of(layouts[0].inputs), end_of(layouts[0].outputs));
    for (int i = 0; i < rotations; ++i) {
        Set set;
        Result<DeviceMemory> memory = DeviceMemory::allocate(driver, shared);
        if (!memory) return std::unexpected(memory.error());
        set.shared = std::move(*memory);
        for (const int side : {0, 1}) {
            Layout layout = layouts[0];
            layout.workspace = layouts[side].workspace;
            set.sides[side] = buffers_at(set.shared.address(), layout);
            if (layout.workspace.empty()) continue;
            Result<DeviceMemory> workspace = DeviceMemory::allocate(driver, end_of(layout.workspace));
            if (!workspace) return std::unexpected(workspace.error());
            set.workspace[side] = std::move(*workspace);
            set.sides[side].workspace = buffers_at(set.workspace[side].address(), layout).workspace;
        }
        buffers.sets_.push_back(std::move(set));
    }
    return buffers;
}

Code TimedBuffers::fill_inputs(const Driver& driver, const std::byte* arena) {
    for (const Set& set : sets_) {
        for (std::size_t i = 0; i < layout_.inputs.size(); ++i) {
            const Region& region = layout_.inputs[i];
            const Code code = copy_to_device(driver, set.sides[0].inputs[i], arena + region.offset, region.bytes);
            if (code != success) return code;
        }
    }
    return success;
}

Code TimedBuffers::poison_outputs(const Driver& driver, int rotation, std::uint8_t pattern, Stream stream) const {
    for (std::size_t i = 0; i < layout_.outputs.size(); ++i) {
        const Code code = driver.set_bytes(of(0, rotation).outputs[i], pattern, layout_.outputs[i].bytes, stream);
        if (code != success) return code;
    }
    return success;
}

Code TimedBuffers::copy_outputs(const Driver& driver, int rotation, std::byte* arena) const {
    for (std::size_t i = 0; i < layout_.outputs.size(); ++i) {
        const Region& region = layout_.outputs[i];
        const Code code = driver.copy_to_host(arena + region.offset, of(0, rotation).outputs[i], region.bytes);
        if (code != success) return code;
    }
    return success;
}

}  // namespace kernelgen::cuda

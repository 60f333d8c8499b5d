// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/timed_buffers.h"

#include "core/backend/checksum.h"
#include "gpu/cuda/device_kernel.h"

namespace kernelgen::cuda {
namespace {

std::size_t end_of(const std::vector<Region>& regions) {
    return regions.empty() ? 0 : regions.back().offset + regions.back().bytes;
}

}  // namespace

Result<TimedBuffers> TimedBuffers::allocate(const Driver& driver, std::span<const Call> calls, int sets) {
    std::vector<Layout> layouts;
    for (const Call& call : calls) layouts.push_back(lay_out(call));
    TimedBuffers buffers;
    buffers.layout_ = layouts[0];
    for (std::size_t i = 0; i < calls[0].inputs.size(); ++i) {
        if (!calls[0].inputs[i].is_mutated) continue;
        Result<DeviceMemory> content = DeviceMemory::allocate(driver, layouts[0].inputs[i].bytes);
        if (!content) return std::unexpected(content.error());
        buffers.mutated_[i] = std::move(*content);
    }
    const std::size_t shared = std::max(end_of(layouts[0].inputs), end_of(layouts[0].outputs));
    for (int i = 0; i < sets; ++i) {
        Set set;
        Result<DeviceMemory> memory = DeviceMemory::allocate(driver, shared);
        if (!memory) return std::unexpected(memory.error());
        set.shared = std::move(*memory);
        for (const Layout& own : layouts) {
            Layout layout = layouts[0];
            layout.workspace = own.workspace;
            set.sides.push_back(buffers_at(set.shared.address(), layout));
            if (layout.workspace.empty()) continue;
            Result<DeviceMemory> workspace = DeviceMemory::allocate(driver, end_of(layout.workspace));
            if (!workspace) return std::unexpected(workspace.error());
            set.sides.back().workspace = buffers_at(workspace->address(), layout).workspace;
            set.workspaces.push_back(std::move(*workspace));
        }
        buffers.sets_.push_back(std::move(set));
    }
    return buffers;
}

Outcome TimedBuffers::fill_inputs(const Driver& driver, const std::byte* arena, std::span<const Patch> patches) {
    for (const Set& set : sets_) {
        for (std::size_t i = 0; i < layout_.inputs.size(); ++i) {
            const Region& region = layout_.inputs[i];
            const Code code = copy_to_device(driver, set.sides[0].inputs[i], arena + region.offset, region.bytes);
            if (code != success) return outcome_of(code, "copying to the device");
        }
    }
    for (const auto& [input, content] : mutated_) {
        const Region& region = layout_.inputs[input];
        const Code code = copy_to_device(driver, content.address(), arena + region.offset, region.bytes);
        if (code != success) return outcome_of(code, "copying to the device");
    }
    patches_ = static_cast<unsigned>(patches.size());
    if (patches.empty()) return {};
    std::vector<std::uint64_t> table;
    std::vector<std::byte> contents;
    for (const Patch& patch : patches) {
        const std::size_t target = layout_.inputs[static_cast<std::size_t>(patch.input)].offset + patch.offset;
        table.insert(table.end(), {static_cast<std::uint64_t>(patch.unit), target, patch.bytes, contents.size()});
        contents.insert(contents.end(), arena + patch.contents, arena + patch.contents + 2 * patch.bytes);
    }
    const auto put = [&](const void* data, std::size_t bytes, DeviceMemory& memory) -> Outcome {
        Result<DeviceMemory> allocated = DeviceMemory::allocate(driver, bytes);
        if (!allocated) return {Status::over_limit, allocated.error().message};
        memory = std::move(*allocated);
        const Code code = copy_to_device(driver, memory.address(), static_cast<const std::byte*>(data), bytes);
        return outcome_of(code, "copying to the device");
    };
    if (const Outcome done = put(table.data(), table.size() * sizeof table[0], patch_table_); !done.ok()) return done;
    return put(contents.data(), contents.size(), patch_contents_);
}

Outcome TimedBuffers::enter_state(const TimingModule& kernels, int set, std::uint64_t state, Stream stream) const {
    if (patches_ == 0) return {};
    return kernels.enter_state(sets_[static_cast<std::size_t>(set)].shared.address(), patch_table_.address(), patches_,
                               patch_contents_.address(), state, stream);
}

Code TimedBuffers::restore_mutated(const Driver& driver, int set, Stream stream) const {
    for (const auto& [input, content] : mutated_) {
        const Code code = driver.copy_on_device(of(0, set).inputs[input], content.address(), content.bytes(), stream);
        if (code != success) return code;
    }
    return success;
}

Code TimedBuffers::poison_outputs(const Driver& driver, int set, std::uint8_t pattern, Stream stream) const {
    for (std::size_t i = 0; i < layout_.outputs.size(); ++i) {
        const Code code = driver.set_bytes(of(0, set).outputs[i], pattern, layout_.outputs[i].bytes, stream);
        if (code != success) return code;
    }
    return success;
}

Code TimedBuffers::take_outputs(const Driver& driver, int set, std::span<const std::uint64_t> places,
                                Stream stream) const {
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Pointer target = of(0, set).outputs[i];
        if (places[i] == 0 || places[i] == target) continue;
        const Code code = driver.copy_on_device(target, places[i], layout_.outputs[i].bytes, stream);
        if (code != success) return code;
    }
    return success;
}

Outcome TimedBuffers::checksum_outputs(const TimingModule& kernels, int set, std::uint64_t key, Pointer sum,
                                       Stream stream) const {
    for (std::size_t i = 0; i < layout_.outputs.size(); ++i) {
        const Outcome put =
            kernels.checksum(of(0, set).outputs[i], layout_.outputs[i].bytes, output_key(key, i), sum, stream);
        if (!put.ok()) return put;
    }
    return {};
}

Code TimedBuffers::copy_outputs(const Driver& driver, int set, std::byte* arena) const {
    for (std::size_t i = 0; i < layout_.outputs.size(); ++i) {
        const Region& region = layout_.outputs[i];
        const Code code = driver.copy_to_host(arena + region.offset, of(0, set).outputs[i], region.bytes);
        if (code != success) return code;
    }
    return success;
}

}  // namespace kernelgen::cuda

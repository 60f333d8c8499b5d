// SPDX-License-Identifier: Apache-2.0
#include "core/host/timing_buffers.h"

#include <algorithm>
#include <cstring>

namespace kernelgen {
namespace {

/// Calls work(begin, end) for this thread's share of [0, bytes), cut at cache lines.
void for_each_share(std::size_t bytes, ThreadPool& pool, const std::function<void(std::size_t, std::size_t)>& work) {
    constexpr std::size_t line = 64;
    const std::size_t lines = (bytes + line - 1) / line;
    const auto threads = static_cast<std::size_t>(pool.size());
    pool.run(pool.size(), [&](int thread) {
        const std::size_t begin = lines * static_cast<std::size_t>(thread) / threads * line;
        const std::size_t end = std::min(bytes, lines * (static_cast<std::size_t>(thread) + 1) / threads * line);
        if (begin < end) work(begin, end);
    });
}

/// Allocates `bytes[i]` each; buffers begin at different places of their pages.
Result<std::vector<HugeBuffer>> allocate_all(const std::vector<std::size_t>& bytes, std::size_t& stagger,
                                             ThreadPool& pool) {
    constexpr std::size_t step = 9 * 256, most = 1 << 16;
    std::vector<HugeBuffer> buffers;
    for (const std::size_t each : bytes) {
        stagger = (stagger + step) % most;
        Result<HugeBuffer> buffer = HugeBuffer::allocate(each, stagger, pool);
        if (!buffer) return std::unexpected(buffer.error());
        buffers.push_back(std::move(*buffer));
    }
    return buffers;
}

std::vector<std::size_t> bytes_of(const std::vector<BoundTensor>& tensors) {
    std::vector<std::size_t> bytes;
    for (const BoundTensor& tensor : tensors) bytes.push_back(tensor.bytes);
    return bytes;
}

std::vector<std::size_t> workspace_bytes(const Call& call) {
    std::vector<std::size_t> bytes;
    for (const Region& region : lay_out(call).workspace) bytes.push_back(region.bytes);
    return bytes;
}

std::vector<std::byte*> pointers(const std::vector<HugeBuffer>& buffers, std::size_t count) {
    std::vector<std::byte*> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(buffers[i].data());
    return all;
}

}  // namespace

Result<TimingBuffers> TimingBuffers::allocate(const Call& candidate, const Call& baseline, int rotations,
                                              ThreadPool& pool) {
    const std::vector<std::size_t> first = workspace_bytes(candidate), second = workspace_bytes(baseline);
    std::vector<std::size_t> shared(std::max(first.size(), second.size()));
    for (std::size_t i = 0; i < shared.size(); ++i) {
        shared[i] = std::max(i < first.size() ? first[i] : 0, i < second.size() ? second[i] : 0);
    }
    TimingBuffers buffers;
    std::size_t stagger = 0;
    for (int i = 0; i < rotations; ++i) {
        Set set;
        for (const auto& [bytes, target] :
             {std::pair{bytes_of(candidate.inputs), &set.inputs}, std::pair{bytes_of(candidate.outputs), &set.outputs},
              std::pair{shared, &set.workspace}}) {
            Result<std::vector<HugeBuffer>> allocated = allocate_all(bytes, stagger, pool);
            if (!allocated) return std::unexpected(allocated.error());
            *target = std::move(*allocated);
        }
        for (const int side : {0, 1}) {
            const std::size_t workspace = side == 0 ? first.size() : second.size();
            set.sides[side] = {pointers(set.inputs, set.inputs.size()), pointers(set.outputs, set.outputs.size()),
                               pointers(set.workspace, workspace)};
        }
        buffers.sets_.push_back(std::move(set));
    }
    return buffers;
}

void TimingBuffers::fill_inputs(const std::vector<const std::byte*>& sources, ThreadPool& pool) {
    for (Set& set : sets_) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            std::byte* target = set.inputs[i].data();
            for_each_share(set.inputs[i].size(), pool, [&](std::size_t begin, std::size_t end) {
                std::memcpy(target + begin, sources[i] + begin, end - begin);
            });
        }
    }
}

void TimingBuffers::poison_outputs(int rotation, std::uint8_t pattern, ThreadPool& pool) {
    for (const HugeBuffer& output : sets_[static_cast<std::size_t>(rotation)].outputs) {
        for_each_share(output.size(), pool, [&](std::size_t begin, std::size_t end) {
            std::memset(output.data() + begin, pattern, end - begin);
        });
    }
}

void TimingBuffers::flush(int rotation, ThreadPool& pool) const {
    const Set& set = sets_[static_cast<std::size_t>(rotation)];
    for (const auto* buffers : {&set.inputs, &set.outputs, &set.workspace}) {
        for (const HugeBuffer& buffer : *buffers) {
            for_each_share(buffer.size(), pool, [&](std::size_t begin, std::size_t end) {
                flush_lines(buffer.data() + begin, end - begin);
                cache_fence();
            });
        }
    }
}

}  // namespace kernelgen

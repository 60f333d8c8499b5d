// SPDX-License-Identifier: Apache-2.0
#include "core/host/timing_buffers.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/backend/checksum.h"

namespace kernelgen {
namespace {

constexpr std::size_t line = 64;              ///< of a cache
constexpr std::size_t alone_bytes = 1 << 16;  ///< up to which one thread is as fast as all

/// Calls work(begin, end) for each thread's share of [0, bytes), cut at cache lines; for few bytes on the caller's
/// thread, for beside other work a pool waits milliseconds until each of its threads has a processor.
void for_each_share(std::size_t bytes, ThreadPool& pool, const std::function<void(std::size_t, std::size_t)>& work) {
    if (bytes <= alone_bytes) return work(0, bytes);
    const std::size_t lines = (bytes + line - 1) / line;
    const auto threads = static_cast<std::size_t>(pool.size());
    pool.run(pool.size(), [&](int thread) {
        const std::size_t begin = lines * static_cast<std::size_t>(thread) / threads * line;
        const std::size_t end = std::min(bytes, lines * (static_cast<std::size_t>(thread) + 1) / threads * line);
        if (begin < end) work(begin, end);
    });
}

/// The position at a share of 2^32 of [begin, end), at a cache line.
std::size_t from_place(std::size_t begin, std::size_t end, std::uint64_t place) {
    return begin + ((end - begin) / line * place >> 32) * line;
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

Result<TimingBuffers> TimingBuffers::allocate(std::span<const Call> calls, int sets, ThreadPool& pool) {
    std::vector<std::vector<std::size_t>> workspaces;
    std::vector<std::size_t> shared;
    for (const Call& call : calls) {
        workspaces.push_back(workspace_bytes(call));
        shared.resize(std::max(shared.size(), workspaces.back().size()));
        for (std::size_t i = 0; i < workspaces.back().size(); ++i) {
            shared[i] = std::max(shared[i], workspaces.back()[i]);
        }
    }
    TimingBuffers buffers;
    for (std::size_t i = 0; i < calls[0].inputs.size(); ++i) {
        if (calls[0].inputs[i].is_mutated) buffers.mutated_[i].resize(calls[0].inputs[i].bytes);
    }
    std::size_t stagger = 0;
    for (int i = 0; i < sets; ++i) {
        Set set;
        for (const auto& [bytes, target] :
             {std::pair{bytes_of(calls[0].inputs), &set.inputs}, std::pair{bytes_of(calls[0].outputs), &set.outputs},
              std::pair{shared, &set.workspace}}) {
            Result<std::vector<HugeBuffer>> allocated = allocate_all(bytes, stagger, pool);
            if (!allocated) return std::unexpected(allocated.error());
            *target = std::move(*allocated);
        }
        for (const std::vector<std::size_t>& workspace : workspaces) {
            set.sides.push_back({pointers(set.inputs, set.inputs.size()), pointers(set.outputs, set.outputs.size()),
                                 pointers(set.workspace, workspace.size())});
        }
        buffers.sets_.push_back(std::move(set));
    }
    return buffers;
}

void TimingBuffers::fill_inputs(const std::byte* arena, const Layout& layout, std::span<const Patch> patches,
                                ThreadPool& pool) {
    for (Set& set : sets_) {
        for (std::size_t i = 0; i < set.inputs.size(); ++i) {
            std::byte* target = set.inputs[i].data();
            const std::byte* source = arena + layout.inputs[i].offset;
            for_each_share(set.inputs[i].size(), pool, [&](std::size_t begin, std::size_t end) {
                std::memcpy(target + begin, source + begin, end - begin);
            });
        }
        set.state = 0;
    }
    for (auto& [input, content] : mutated_)
        std::memcpy(content.data(), arena + layout.inputs[input].offset, content.size());
    patches_.assign(patches.begin(), patches.end());
    contents_.clear();
    for (Patch& patch : patches_) {
        const std::byte* source = arena + patch.contents;
        patch.contents = contents_.size();
        contents_.insert(contents_.end(), source, source + 2 * patch.bytes);
    }
}

void TimingBuffers::restore_mutated(int set, ThreadPool& pool) {
    for (const auto& [input, content] : mutated_) {
        std::byte* const target = sets_[static_cast<std::size_t>(set)].inputs[input].data();
        for_each_share(content.size(), pool, [&](std::size_t begin, std::size_t end) {
            std::memcpy(target + begin, content.data() + begin, end - begin);
        });
    }
}

void TimingBuffers::enter_state(int set, std::uint64_t state, bool flush) {
    Set& entered = sets_[static_cast<std::size_t>(set)];
    for (const Patch& patch : patches_) {
        const std::uint64_t bit = std::uint64_t{1} << patch.unit;
        if (((state ^ entered.state) & bit) == 0) continue;
        const std::size_t content = patch.contents + ((state & bit) != 0 ? patch.bytes : 0);
        std::byte* const place = entered.inputs[static_cast<std::size_t>(patch.input)].data() + patch.offset;
        std::memcpy(place, &contents_[content], patch.bytes);
        if (flush) flush_lines(place, patch.bytes);
    }
    cache_fence();
    entered.state = state;
}

void TimingBuffers::rewrite_pages(int set, bool flush, ThreadPool& pool) {
    constexpr std::size_t page = 4096;
    for (const HugeBuffer& input : sets_[static_cast<std::size_t>(set)].inputs) {
        for_each_share(input.size(), pool, [&](std::size_t begin, std::size_t end) {
            // A buffer begins anywhere in a page: its last byte may lie in one more.
            for (std::size_t at = begin; at < end; at = std::min(at + page, std::max(at + 1, end - 1))) {
                volatile std::byte* const place = input.data() + at;
                *place = *place;
                if (flush) flush_lines(input.data() + at, 1);
            }
            cache_fence();
        });
    }
}

void TimingBuffers::poison_outputs(int set, std::uint8_t pattern, ThreadPool& pool) {
    for (const HugeBuffer& output : sets_[static_cast<std::size_t>(set)].outputs) {
        for_each_share(output.size(), pool, [&](std::size_t begin, std::size_t end) {
            std::memset(output.data() + begin, pattern, end - begin);
        });
    }
}

void TimingBuffers::touch(int set, std::uint8_t pattern, ThreadPool& pool) {
    for (const HugeBuffer& input : sets_[static_cast<std::size_t>(set)].inputs) {
        for_each_share(input.size(), pool, [&](std::size_t begin, std::size_t end) {
            for (std::size_t at = begin; at < end; at += line) {
                static_cast<void>(*static_cast<const volatile std::byte*>(input.data() + at));
            }
        });
    }
    poison_outputs(set, pattern, pool);
}

void TimingBuffers::flush(int set, ThreadPool& pool) const {
    const Set& flushed = sets_[static_cast<std::size_t>(set)];
    for (const auto* buffers : {&flushed.inputs, &flushed.outputs, &flushed.workspace}) {
        for (const HugeBuffer& buffer : *buffers) {
            for_each_share(buffer.size(), pool, [&](std::size_t begin, std::size_t end) {
                flush_lines(buffer.data() + begin, end - begin);
                cache_fence();
            });
        }
    }
}

std::uint64_t TimingBuffers::next_place() { return ++passes_ * checksum_step >> 32; }

void TimingBuffers::take_outputs(int set, std::span<const std::uint64_t> places, ThreadPool& pool) {
    const std::uint64_t place = next_place();
    const std::vector<HugeBuffer>& outputs = sets_[static_cast<std::size_t>(set)].outputs;
    for (std::size_t i = 0; i < places.size(); ++i) {
        std::byte* const target = outputs[i].data();
        const auto* const source = reinterpret_cast<const std::byte*>(places[i]);
        if (source == nullptr || source == target) continue;
        for_each_share(outputs[i].size(), pool, [&](std::size_t begin, std::size_t end) {
            const std::size_t middle = from_place(begin, end, place);
            std::memmove(target + middle, source + middle, end - middle);
            std::memmove(target + begin, source + begin, middle - begin);
        });
    }
}

std::uint64_t TimingBuffers::checksum_outputs(int set, std::uint64_t key, ThreadPool& pool) {
    const std::uint64_t place = next_place();
    std::uint64_t sum = 0;
    const std::vector<HugeBuffer>& outputs = sets_[static_cast<std::size_t>(set)].outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::byte* data = outputs[i].data();
        std::atomic<std::uint64_t> shares = 0;
        for_each_share(outputs[i].size(), pool, [&](std::size_t begin, std::size_t end) {
            const std::size_t middle = from_place(begin, end, place);
            const std::uint64_t own = output_key(key, i);
            shares += checksum(data + middle, end - middle, own, middle / 8) +
                      checksum(data + begin, middle - begin, own, begin / 8);
        });
        sum += shares;
    }
    return sum;
}

}  // namespace kernelgen

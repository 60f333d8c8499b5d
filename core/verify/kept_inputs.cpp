// SPDX-License-Identifier: Apache-2.0
#include "core/verify/kept_inputs.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/base/memory.h"
#include "core/verify/parallel.h"

namespace kernelgen {
namespace {

constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;
constexpr std::size_t free_share_for_inputs = 8;

void copy_on_all_cores(const std::byte* from, std::byte* to, std::size_t bytes) {
    constexpr std::size_t block = 1 << 20;
    Claims claims(static_cast<std::int64_t>((bytes + block - 1) / block), 1, {});
    on_all_cores(claims, [&](Claims& mine) {
        while (const std::optional<Range> claim = mine.next()) {
            const std::size_t begin = static_cast<std::size_t>(claim->first) * block;
            std::memcpy(to + begin, from + begin, std::min(block, bytes - begin));
        }
    });
}

}  // namespace

void KeptInputs::fill(const Call& call, const Layout& layout, std::byte* arena, InputSet set, std::uint64_t seed) {
    std::vector<Made> wanted;
    std::size_t total = 0;
    for (const BoundTensor& input : call.inputs) {
        wanted.push_back({input.dtype, input.bytes, input.domain});
        total += input.bytes;
    }
    if (wanted == made_ && set == set_ && seed == seed_) {
        for (std::size_t i = 0; i < contents_.size(); ++i)
            copy_on_all_cores(contents_[i].get(), arena + layout.inputs[i].offset, made_[i].bytes);
        return;
    }
    clear();
    fill_inputs(call, layout, arena, set, seed);
    if (total > std::min(most_kept_bytes, available_memory() / free_share_for_inputs)) return;
    try {
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            contents_.push_back(std::make_unique_for_overwrite<std::byte[]>(wanted[i].bytes));
            copy_on_all_cores(arena + layout.inputs[i].offset, contents_[i].get(), wanted[i].bytes);
        }
    } catch (const std::bad_alloc&) {
        return clear();
    }
    made_ = std::move(wanted);
    set_ = set;
    seed_ = seed;
}

}  // namespace kernelgen

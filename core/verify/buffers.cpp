// SPDX-License-Identifier: Apache-2.0
#include "core/verify/buffers.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <format>
#include <vector>

#include "core/base/sentences.h"
#include "core/verify/parallel.h"

namespace kernelgen {
namespace {

constexpr std::int64_t block_elements = 1 << 14;

/// A buffer with what messages call it.
struct NamedRegion {
    Region region;
    std::string name;
    DType dtype;
};

std::vector<NamedRegion> named_regions(const Call& call, const Layout& layout) {
    std::vector<NamedRegion> regions;
    for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
        regions.push_back({layout.inputs[i], "input `" + call.inputs[i].name + "`", call.inputs[i].dtype});
    }
    for (std::size_t i = 0; i < layout.outputs.size(); ++i) {
        regions.push_back({layout.outputs[i], "output `" + call.outputs[i].name + "`", call.outputs[i].dtype});
    }
    for (std::size_t i = 0; i < layout.workspace.size(); ++i) {
        regions.push_back({layout.workspace[i], say("workspace buffer {}", i), call.workspace_dtypes[i]});
    }
    return regions;
}

/// The guard's bytes, on either side of a buffer: no two neighbours are alike, and no short period repeats.
const std::vector<std::byte>& guard_pattern() {
    static const auto pattern = [] {
        std::vector<std::byte> bytes(guard_bytes);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(0x5b + 37 * i + i / 256);
        return bytes;
    }();
    return pattern;
}

std::int64_t elements_of(const BoundTensor& tensor) {
    return static_cast<std::int64_t>(tensor.bytes / size_of(tensor.dtype));
}

InputSet set_of(const Call& call, std::size_t input, InputSet set) {
    return set_for(set, elements_of(call.inputs[input]));
}

/// Calls `work` with every block of every input: its number, first element and count, on all cores.
template <class Work>
void for_each_block(const Call& call, const Work& work) {
    for (std::size_t input = 0; input < call.inputs.size(); ++input) {
        const std::int64_t elements = elements_of(call.inputs[input]);
        Claims claims((elements + block_elements - 1) / block_elements, 1, {});
        on_all_cores(claims, [&](Claims& mine) {
            std::vector<double> values;
            while (const std::optional<Range> claim = mine.next()) {
                const std::int64_t first = claim->first * block_elements;
                values.resize(static_cast<std::size_t>(std::min(block_elements, elements - first)));
                work(input, first, values);
            }
        });
    }
}

}  // namespace

void fill_inputs(const Call& call, const Layout& layout, std::byte* arena, InputSet set, std::uint64_t seed) {
    std::vector<DType> dtypes;
    for (const BoundTensor& input : call.inputs) dtypes.push_back(input.dtype);
    fill_inputs_as(dtypes, call, layout, arena, set, seed);
}

void fill_inputs_as(std::span<const DType> dtypes, const Call& call, const Layout& layout, std::byte* arena,
                    InputSet set, std::uint64_t seed) {
    for_each_block(call, [&](std::size_t input, std::int64_t first, std::vector<double>& values) {
        const DType dtype = call.inputs[input].dtype;
        generate(set_of(call, input, set), seed, static_cast<int>(input), dtypes[input], first, values,
                 call.inputs[input].domain);
        encode(dtype, values, arena + layout.inputs[input].offset + static_cast<std::size_t>(first) * size_of(dtype));
    });
}

void vary_inputs(std::span<const DType> dtypes, const Call& call, const Layout& layout, std::byte* arena,
                 const Variation& variation) {
    std::vector<double> values;
    for (const InputSpan& span : variation.spans) {
        const auto input = static_cast<std::size_t>(span.input);
        const DType dtype = call.inputs[input].dtype;
        values.resize(static_cast<std::size_t>(span.count));
        generate(span.set, variation.seed, span.input, dtypes[input], span.first, values, call.inputs[input].domain);
        encode(dtype, values,
               arena + layout.inputs[input].offset + static_cast<std::size_t>(span.first) * size_of(dtype));
    }
}

void edit_inputs(const Call& call, const Layout& layout, std::byte* arena, const InputEdit& edit) {
    for_each_block(call, [&](std::size_t input, std::int64_t first, std::vector<double>& values) {
        const DType dtype = call.inputs[input].dtype;
        if (is_integer(dtype) || call.inputs[input].domain) return;
        std::byte* const there = arena + layout.inputs[input].offset + static_cast<std::size_t>(first) * size_of(dtype);
        decode(dtype, there, std::span(values));
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = edit(input, first + static_cast<std::int64_t>(i), values[i]);
        }
        encode(dtype, values, there);
    });
}

bool inputs_unchanged(const Call& call, const Layout& layout, const std::byte* arena, InputSet set,
                      std::uint64_t seed) {
    std::atomic<bool> unchanged = true;
    for_each_block(call, [&](std::size_t input, std::int64_t first, std::vector<double>& values) {
        const DType dtype = call.inputs[input].dtype;
        std::vector<std::byte> bytes(values.size() * size_of(dtype));
        generate(set_of(call, input, set), seed, static_cast<int>(input), dtype, first, values,
                 call.inputs[input].domain);
        encode(dtype, values, bytes.data());
        const std::byte* there = arena + layout.inputs[input].offset + static_cast<std::size_t>(first) * size_of(dtype);
        if (std::memcmp(there, bytes.data(), bytes.size()) != 0) unchanged = false;
    });
    return unchanged;
}

void fill_guards(const Layout& layout, std::byte* arena) {
    for (const auto* regions : {&layout.inputs, &layout.outputs, &layout.workspace}) {
        for (const Region& region : *regions) {
            std::memcpy(arena + region.offset - guard_bytes, guard_pattern().data(), guard_bytes);
            std::memcpy(arena + region.offset + region.bytes, guard_pattern().data(), guard_bytes);
        }
    }
}

void poison_outputs(const Layout& layout, std::byte* arena, std::uint8_t pattern) {
    for (const auto* regions : {&layout.outputs, &layout.workspace}) {
        for (const Region& region : *regions) std::memset(arena + region.offset, pattern, region.bytes);
    }
}

std::optional<Said> damaged_guard(const Call& call, const Layout& layout, const std::byte* arena) {
    const std::vector<std::byte>& pattern = guard_pattern();
    for (const auto& [region, name, dtype] : named_regions(call, layout)) {
        const std::byte* after = arena + region.offset + region.bytes;
        if (const auto found = std::ranges::mismatch(pattern, std::span(after, guard_bytes));
            found.in1 != pattern.end()) {
            const auto elements = static_cast<std::size_t>(found.in1 - pattern.begin()) / size_of(dtype);
            return say("{} was written past its end, {} after its last element", name, elements + 1);
        }
        const std::span<const std::byte> before(arena + region.offset - guard_bytes, guard_bytes);
        for (std::size_t i = guard_bytes; i-- > 0;) {
            if (before[i] == pattern[i]) continue;
            const std::size_t elements = (guard_bytes - 1 - i) / size_of(dtype) + 1;
            return say("{} was written before its start, {} before its first element", name, elements);
        }
    }
    return std::nullopt;
}

Said with_inputs(const Said& reason, InputSet set, std::uint64_t seed) {
    return say(sentences::with_inputs, reason, to_string(set), seed);
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/explain/replay.h"

#include <algorithm>
#include <cstring>

#include "core/verify/buffers.h"

namespace kernelgen {

Grid grid_of(const std::vector<std::int64_t>& extents) {
    Grid grid;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        (axis + 1 == extents.size() ? grid.columns : grid.rows) *= extents[axis];
    }
    return grid;
}

void mark_runs(OutputReplay& output, const std::array<std::span<const std::byte>, 4>& runs) {
    const std::size_t size = size_of(output.dtype), count = runs[0].size() / size;
    output.unwritten = output.unstable = output.stale = std::vector<char>(count);
    for (std::size_t element = 0; element < count; ++element) {
        const auto at = [&](std::size_t run) { return runs[run].data() + element * size; };
        const auto differ = [&](std::size_t one, std::size_t other) {
            return std::memcmp(at(one), at(other), size) != 0;
        };
        const auto holds = [&](std::size_t run, std::uint8_t byte) {
            return std::all_of(at(run), at(run) + size, [&](std::byte b) { return b == static_cast<std::byte>(byte); });
        };
        const bool is_unwritten = holds(0, poisons[0]) && holds(1, poisons[1]);
        const bool is_unstable = differ(0, 2) || differ(1, 3);
        output.unwritten[element] = is_unwritten;
        output.unstable[element] = is_unstable;
        output.stale[element] = !is_unwritten && !is_unstable && differ(0, 1);
    }
}

std::vector<std::int64_t> OutputReplay::wrong() const {
    std::vector<std::int64_t> elements;
    for (std::size_t i = 0; i < record.judged.size(); ++i) {
        if (record.judged[i] == Judged::wrong || unwritten[i] != 0) elements.push_back(static_cast<std::int64_t>(i));
    }
    return elements;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/host/loaded_kernel.h"
#include "core/host/private_memory.h"

namespace kernelgen {

/// Sets of private buffers for timed calls. Candidate and baseline use the same ones, so neither has the better pages.
class TimingBuffers {
public:
    static Result<TimingBuffers> allocate(const Call& candidate, const Call& baseline, int rotations, ThreadPool& pool);

    int rotations() const { return static_cast<int>(sets_.size()); }

    /// The buffers of one side (0 candidate, 1 baseline) in set `rotation`.
    const CallBuffers& of(int side, int rotation) const {
        return sets_[static_cast<std::size_t>(rotation)].sides[side];
    }

    void fill_inputs(const std::vector<const std::byte*>& sources, ThreadPool& pool);
    void poison_outputs(int rotation, std::uint8_t pattern, ThreadPool& pool);
    /// Drops all lines of a set from the caches.
    void flush(int rotation, ThreadPool& pool) const;

private:
    struct Set {
        std::vector<HugeBuffer> inputs, outputs, workspace;
        CallBuffers sides[2];
    };
    std::vector<Set> sets_;
};

}  // namespace kernelgen

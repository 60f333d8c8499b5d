// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/backend/sampling.h"
#include "core/host/loaded_kernel.h"
#include "core/host/private_memory.h"

namespace kernelgen {

/// Sets of private buffers for timed calls. All sides use the same buffers, so no side has better pages than another.
class TimingBuffers {
public:
    /// `calls`: one for each side; they differ only in their workspace.
    static Result<TimingBuffers> allocate(std::span<const Call> calls, int sets, ThreadPool& pool);

    int sets() const { return static_cast<int>(sets_.size()); }

    /// The buffers of one side in a set.
    const CallBuffers& of(int side, int set) const {
        return sets_[static_cast<std::size_t>(set)].sides[static_cast<std::size_t>(side)];
    }

    /// Copies the inputs of an arena into every set, and copies the patches' contents. Afterwards each input has its
    /// first content.
    void fill_inputs(const std::byte* arena, const Layout& layout, std::span<const Patch> patches, ThreadPool& pool);
    /// Makes a set's inputs that calls change what `fill_inputs` made them.
    void restore_mutated(int set, ThreadPool& pool);
    /// Gives each unit of a set's inputs the content that its bit in `state` says. `flush`: what was written leaves the
    /// caches.
    void enter_state(int set, std::uint64_t state, bool flush);
    /// Writes each page of a set's inputs, without a change: so the page tables do not tell which content is new.
    void rewrite_pages(int set, bool flush, ThreadPool& pool);
    void poison_outputs(int set, std::uint8_t pattern, ThreadPool& pool);
    /// Leaves the lines of a set's inputs and outputs in the caches as a call does: inputs are read, outputs written.
    void touch(int set, std::uint8_t pattern, ThreadPool& pool);
    /// Flushes all lines of a set from the caches.
    void flush(int set, ThreadPool& pool) const;
    /// Copies a set's outputs from where a call has them: for each its address, or 0 where it is in its buffer. The
    /// copy begins at another place each time, so that no thread can write missing outputs just ahead of it.
    void take_outputs(int set, std::span<const std::uint64_t> places, ThreadPool& pool);
    /// The checksum of a set's outputs (core/backend/checksum.h). It begins at another place each time, too.
    std::uint64_t checksum_outputs(int set, std::uint64_t key, ThreadPool& pool);

private:
    /// A share of 2^32, spread evenly over the passes: where the next one begins.
    std::uint64_t next_place();

    struct Set {
        std::vector<HugeBuffer> inputs, outputs, workspace;
        std::vector<CallBuffers> sides;
        std::uint64_t state = 0;
    };
    std::vector<Set> sets_;
    std::map<std::size_t, std::vector<std::byte>> mutated_;  ///< inputs that calls change, with their contents
    std::vector<Patch> patches_;
    std::vector<std::byte> contents_;  ///< contents of the patches; `Patch::contents` is a position in it
    std::uint64_t passes_ = 0;         ///< number of passes over outputs so far
};

}  // namespace kernelgen

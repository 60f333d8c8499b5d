// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/backend/arena.h"
#include "core/backend/call.h"
#include "core/backend/outcome.h"
#include "core/backend/sampling.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/timing_module.h"

namespace kernelgen::cuda {

/// Sets of device buffers for timed calls. All sides use the same inputs and outputs; each side has its own workspace.
class TimedBuffers {
public:
    /// `calls`: one for each side; they differ only in the workspace. Errors: too little memory is free.
    static Result<TimedBuffers> allocate(const Driver& driver, std::span<const Call> calls, int sets);

    int sets() const { return static_cast<int>(sets_.size()); }
    const DeviceBuffers& of(int side, int set) const {
        return sets_[static_cast<std::size_t>(set)].sides[static_cast<std::size_t>(side)];
    }

    /// Copies the inputs of an arena with this layout into every set, and copies the patches' contents. Afterwards each
    /// input has its first content.
    Outcome fill_inputs(const Driver& driver, const std::byte* arena, std::span<const Patch> patches);
    /// Puts copies into a stream: each unit of a set's inputs gets the content that its bit in `state` selects.
    Outcome enter_state(const TimingModule& kernels, int set, std::uint64_t state, Stream stream) const;
    /// Puts into a stream: a set's inputs that calls change become what `fill_inputs` made them.
    Code restore_mutated(const Driver& driver, int set, Stream stream) const;
    /// Puts into a stream: fills a set's outputs with one byte.
    Code poison_outputs(const Driver& driver, int set, std::uint8_t pattern, Stream stream) const;
    /// Puts into a stream: copies a set's outputs from where a call has them: for each its address, or 0 where it is in
    /// its buffer.
    Code take_outputs(const Driver& driver, int set, std::span<const std::uint64_t> places, Stream stream) const;
    /// Puts into a stream: adds the checksum of a set's outputs to `sum`.
    Outcome checksum_outputs(const TimingModule& kernels, int set, std::uint64_t key, Pointer sum, Stream stream) const;
    Code copy_outputs(const Driver& driver, int set, std::byte* arena) const;

private:
    struct Set {
        DeviceMemory shared;
        std::vector<DeviceMemory> workspaces;
        std::vector<DeviceBuffers> sides;
    };
    Layout layout_;
    std::vector<Set> sets_;
    std::map<std::size_t, DeviceMemory> mutated_;  ///< inputs that calls change, with their contents
    unsigned patches_ = 0;
    DeviceMemory patch_table_, patch_contents_;
};

}  // namespace kernelgen::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/cuda/device_memory.h"

namespace kernelgen::cuda {

/// Sets of device buffers for timed calls. Candidate and baseline use the same ones; only a workspace is a side's own.
class TimedBuffers {
public:
    /// `layouts`: of candidate and baseline, which differ in their workspace alone. Errors: too little memory is free.
    static Result<TimedBuffers> allocate(const Driver& driver, const Layout (&layouts)[2], int rotations);

    int rotations() const { return static_cast<int>(sets_.size()); }
    const DeviceBuffers& of(int side, int rotation) const {
        return sets_[static_cast<std::size_t>(rotation)].sides[side];
    }

    /// Copies the inputs of an arena that is laid out so into every set.
    Code fill_inputs(const Driver& driver, const std::byte* arena);
    /// Puts the filling of a set's outputs with one byte into a stream.
    Code poison_outputs(const Driver& driver, int rotation, std::uint8_t pattern, Stream stream) const;
    Code copy_outputs(const Driver& driver, int rotation, std::byte* arena) const;

private:
    struct Set {
        DeviceMemory shared, workspace[2];
        DeviceBuffers sides[2];
    };
    Layout layout_;
    std::vector<Set> sets_;
};

}  // namespace kernelgen::cuda

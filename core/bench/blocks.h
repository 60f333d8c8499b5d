// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/backend/sampling.h"

namespace kernelgen {

/// The calls of one side in the turns [first, end) of a request, done one after another in that side's own executor.
struct Block {
    const SampleRequest& request;
    std::size_t first = 0, end = 0;
    int side = 0;
};

/// The sides of turns [first, end), each once, in the order in which they first appear. `nobody` is included only if
/// no other side appears.
std::vector<int> sides_in(const SampleRequest& request, std::size_t first, std::size_t end);

/// The block as a request to that executor, in which the side has number 0. Each call gets the input state that it has
/// in the whole request. Idle turns are part of every block. `sets`: of buffers.
SampleRequest part_of(const Block& block, int sets);

}  // namespace kernelgen

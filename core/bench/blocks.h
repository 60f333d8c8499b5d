// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/backend/sampling.h"

namespace kernelgen {

/// Turns [first, end) of a request that one side takes, one after another, in an executor of its own.
struct Block {
    const SampleRequest& request;
    std::size_t first = 0, end = 0;
    int side = 0;
};

/// The sides of turns [first, end), each once, in the order in which they first appear; nobody only where it is alone.
std::vector<int> sides_in(const SampleRequest& request, std::size_t first, std::size_t end);

/// What the block's side does in it, as a request to an executor in which it is side 0, with the states that the inputs
/// have at its places. Turns of nobody belong to every side. `sets`: of buffers.
SampleRequest part_of(const Block& block, int sets);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
// Where the keys and values of a paged cache lie. For kernels of the host and of CUDA.
#pragma once

#if defined(KG_DEVICE)
#define KG_PAGES KG_DEVICE
#else
#include "kernelgen/types.h"
#define KG_PAGES KG_INLINE
#endif

namespace kg {

/// Blocks [blocks, heads, size, D] of `size` columns, and the table of each batch's blocks, `places` numbers. A number
/// below 0 is that of the first block, one that is too large that of the last.
struct Pages {
    const int32_t* table;
    int64_t places, blocks, heads, size;

    /// The matrix, of one head of a block, in which the column of a head lies that is numbered through the batch; of a
    /// column behind the last one, that of the last one.
    KG_PAGES int64_t matrix(int64_t head, int64_t column) const {
        const int64_t place = column / size;
        const int64_t number = table[head / heads * places + (place < places ? place : places - 1)];
        const int64_t block = number < 0 ? 0 : number < blocks ? number : blocks - 1;
        return block * heads + head % heads;
    }
    /// The row of the column among all rows of all blocks.
    KG_PAGES int64_t row(int64_t head, int64_t column) const { return matrix(head, column) * size + column % size; }
};

}  // namespace kg

// SPDX-License-Identifier: Apache-2.0
// broadcast: out = bias
// A block computes tiles of BLOCK_M rows and BLOCK_N columns; a thread reads and writes packs of VEC bytes.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Tiles = kg::Tiles<T, BLOCK_M, BLOCK_N, num_warps, 1, (PERSISTENT > 0), VEC, kg::cache_default, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) void broadcast(
    const DTYPE* __restrict__ bias, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const auto inputs = kg::list(kg::row_vector(bias));
    const auto outputs = kg::list(kg::matrix(out));
    Tiles::for_each(P, D, inputs, outputs, [&](T bias_j, T& out_j) {
        out_j = bias_j;
    });
}

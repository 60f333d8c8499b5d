// SPDX-License-Identifier: Apache-2.0
// bias_add: out = x + bias
// A block computes tiles of BLOCK_M rows and BLOCK_N columns; a thread reads and writes packs of VEC bytes.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Tiles = kg::Tiles<T, BLOCK_M, BLOCK_N, num_warps, num_stages, (PERSISTENT > 0), VEC, LOAD_CACHE, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) void bias_add(
    const DTYPE* __restrict__ x, const DTYPE* __restrict__ bias, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const auto inputs = kg::list(kg::matrix(x), kg::row_vector(bias));
    const auto outputs = kg::list(kg::matrix(out));
    Tiles::for_each(P, D, inputs, outputs, [&](T x_j, T bias_j, T& out_j) {
        out_j = x_j + bias_j;
    });
}

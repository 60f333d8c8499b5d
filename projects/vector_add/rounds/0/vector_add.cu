// SPDX-License-Identifier: Apache-2.0
// vector_add: out = x + y
// A block computes tiles of BLOCK_N elements; a thread reads and writes packs of VEC bytes.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Tiles = kg::Tiles<T, 1, BLOCK_N, num_warps, num_stages, (PERSISTENT > 0), VEC, LOAD_CACHE, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) void vector_add(
    const DTYPE* __restrict__ x, const DTYPE* __restrict__ y, DTYPE* __restrict__ out, int64_t N) {
    const auto inputs = kg::list(kg::matrix(x), kg::matrix(y));
    const auto outputs = kg::list(kg::matrix(out));
    Tiles::for_each(1, N, inputs, outputs, [&](T x_j, T y_j, T& out_j) {
        out_j = x_j + y_j;
    });
}

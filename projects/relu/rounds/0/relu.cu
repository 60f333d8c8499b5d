// SPDX-License-Identifier: Apache-2.0
// relu: out = relu(x)
// A block computes tiles of BLOCK_N elements; a thread reads and writes packs of VEC bytes.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Tiles = kg::Tiles<T, 1, BLOCK_N, num_warps, num_stages, (PERSISTENT > 0), VEC, LOAD_CACHE, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) void relu(
    const DTYPE* __restrict__ x, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const auto inputs = kg::list(kg::matrix(x));
    const auto outputs = kg::list(kg::matrix(out));
    Tiles::for_each(1, P * D, inputs, outputs, [&](T x_j, T& out_j) {
        out_j = kg::relu(x_j);
    });
}

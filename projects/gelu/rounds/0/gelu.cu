// SPDX-License-Identifier: Apache-2.0
// gelu: out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))
// A block computes tiles of BLOCK_N elements; a thread reads and writes packs of VEC bytes.
// 1 + tanh(a) is written as 2 sigmoid(2 a): fewer operations, and accurate where tanh is near -1.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Tiles = kg::Tiles<T, 1, BLOCK_N, num_warps, num_stages, (PERSISTENT > 0), VEC, LOAD_CACHE, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) void gelu(
    const DTYPE* __restrict__ x, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const auto inputs = kg::list(kg::matrix(x));
    const auto outputs = kg::list(kg::matrix(out));
    Tiles::for_each(1, P * D, inputs, outputs, [&](T x_j, T& out_j) {
        out_j = x_j * kg::sigmoid(T(1.5957691216057308) * (x_j + T(0.044715) * (x_j * x_j * x_j)));
    });
}

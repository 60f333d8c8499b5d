// SPDX-License-Identifier: Apache-2.0
// fp8_linear: out = (x @ transpose(w)) * x_scale * w_scale + bias
// A program computes a tile of BLOCK_M rows and BLOCK_N columns: it packs BLOCK_K of the depth at a time.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void fp8_linear(const kg_f8e4m3* x, const kg_f8e4m3* w, const float* x_scale,
                                            const float* w_scale, const DTYPE* bias, DTYPE* out, int64_t M,
                                            int64_t K, int64_t N, int64_t pid0, int64_t pid1, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_M, M);
    const kg::Tile columns = kg::tile(pid1, BLOCK_N, N);
    const auto left = kg::along_depth([=](int64_t i, auto k) {
        return kg::load(x + i * K, k);
    });
    const auto right = kg::along_depth([=](int64_t j, auto k) {
        return kg::load(w + j * K, k);
    });
    kg::contract<T, REGISTER_M, BLOCK_K>(rows, columns, K, left, right, [&](int64_t i, auto j, auto product) {
        const T x_scale_i = kg::load_one<T>(x_scale + i);
        const auto w_scale_j = kg::load(w_scale, j);
        const auto bias_j = kg::load(bias, j);
        kg::store<STREAM>(out + i * N, j, product * x_scale_i * w_scale_j + bias_j);
    });
    kg::end_of_stores<STREAM>();
}

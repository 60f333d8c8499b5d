// SPDX-License-Identifier: Apache-2.0
// gemv: out = x @ transpose(w)
// A program computes a tile of BLOCK_M rows and BLOCK_N columns: it packs BLOCK_K of the depth at a time.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void gemv(const DTYPE* x, const DTYPE* w, DTYPE* out, int64_t M, int64_t K,
                                      int64_t N, int64_t pid0, int64_t pid1, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_M, M);
    const kg::Tile columns = kg::tile(pid1, BLOCK_N, N);
    const auto left = kg::along_depth<DTYPE>([=](int64_t i, auto k) {
        return kg::load(x + i * K, k);
    });
    const auto right = kg::along_depth<DTYPE>([=](int64_t j, auto k) {
        return kg::load(w + j * K, k);
    });
    kg::contract<T, REGISTER_M, BLOCK_K>(rows, columns, K, left, right, [&](int64_t i, auto j, auto product) {
        kg::store<STREAM>(out + i * N, j, product);
    });
    kg::end_of_stores<STREAM>();
}

// SPDX-License-Identifier: Apache-2.0
// batched_matmul: out = a @ b
// A program computes a tile of BLOCK_M rows and BLOCK_N columns: it packs BLOCK_K of the depth at a time.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void batched_matmul(const DTYPE* a, const DTYPE* b, DTYPE* out, int64_t B, int64_t M,
                                                int64_t K, int64_t N, int64_t pid0, int64_t pid1, int64_t pid2) {
    const int64_t batch = pid2;
    const kg::Tile rows = kg::tile(pid0, BLOCK_M, M);
    const kg::Tile columns = kg::tile(pid1, BLOCK_N, N);
    const auto left = kg::along_depth<DTYPE>([=](int64_t i, auto k) {
        const int64_t left_row = batch * M + i;
        return kg::load(a + left_row * K, k);
    });
    const auto right = kg::along_lines<DTYPE>([=](int64_t k, auto j) {
        const int64_t right_row = batch * K + k;
        return kg::load(b + right_row * N, j);
    });
    kg::contract<T, REGISTER_M, BLOCK_K>(rows, columns, K, left, right, [&](int64_t row_of_batch, auto j, auto product) {
        const int64_t i = batch * M + row_of_batch;
        kg::store<STREAM>(out + i * N, j, product);
    });
    kg::end_of_stores<STREAM>();
}

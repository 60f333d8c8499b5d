// SPDX-License-Identifier: Apache-2.0
// attention_fp8: out = attention(q, k, v, q_scale=q_scale, k_scale=k_scale, v_scale=v_scale)
// A program computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void attention_fp8(const kg_f8e4m3* q, const kg_f8e4m3* k, const kg_f8e4m3* v,
                                               const float* q_scale, const float* k_scale, const float* v_scale,
                                               DTYPE* out, int64_t B, int64_t H, int64_t N, int64_t D,
                                               int64_t Hk, int64_t M, int64_t P, int64_t R, int64_t pid0,
                                               int64_t pid1, int64_t) {
    const kg::Tile tile_rows = kg::tile(pid0, BLOCK_M, N);
    const int64_t head = pid1;
    const int64_t kv_head = head / (H / Hk);  // heads of a group share keys
    const auto queries = kg::along_depth([=](int64_t i, auto d) {
        return kg::wide<T>(kg::load(q + (head * N + i) * D, d)) * kg::load_one<T>(q_scale + head * ((N + 127) / 128) + i / 128);
    });
    const auto keys = kg::along_depth([=](int64_t i, auto d) {
        return kg::wide<T>(kg::load(k + (kv_head * M + i) * D, d)) * kg::load_one<T>(k_scale + kv_head * ((M + 127) / 128) + i / 128);
    });
    const auto values = kg::along_lines([=](int64_t i, auto d) {
        return kg::wide<T>(kg::load(v + (kv_head * M + i) * D, d)) * kg::load_one<T>(v_scale + kv_head * ((M + 127) / 128) + i / 128);
    });
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto seen = [=](int64_t) {
        return kg::SeenColumns{0, M};
    };
    const auto logit = [=](int64_t i, auto j, auto product) {
        return product * scale;
    };
    const auto output = [=](int64_t i, auto d, auto value) {
        kg::store<STREAM>(out + (head * N + i) * D, d, value);
    };
    const auto log_sum = [](int64_t, T) {};
    kg::attend<T, REGISTER_M, BLOCK_N>(tile_rows, M, D, queries, keys, values, seen, logit, kg::NoDropout{}, output, log_sum);
    kg::end_of_stores<STREAM>();
}

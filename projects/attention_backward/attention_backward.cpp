// SPDX-License-Identifier: Apache-2.0
// attention_backward: dq, dk, dv = attention_backward(q, k, v, out, lse, dout, causal=1)
// One kernel of rows for the gradient of the queries, one of columns for those of keys and values.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void attention_backward_queries(const DTYPE* q, const DTYPE* k, const DTYPE* v,
                                                            const DTYPE* out, const float* lse,
                                                            const DTYPE* dout, DTYPE* dq, DTYPE* dk, DTYPE* dv,
                                                            int64_t B, int64_t H, int64_t N, int64_t D,
                                                            int64_t Hk, int64_t M, int64_t pid0, int64_t pid1,
                                                            int64_t) {
    const kg::Tile tile_rows = kg::tile(pid0, BLOCK_M, N);
    const int64_t head = pid1;
    const int64_t kv_head = head / (H / Hk);  // heads of a group share keys
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto keys = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
        return kg::load(k + (kv_head * M + i) * D, d);
    });
    const auto values = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
        return kg::load(v + (kv_head * M + i) * D, d);
    });
    const auto queries = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
        return kg::load(q + (head * N + i) * D, d);
    });
    const auto gradients = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
        return kg::load(dout + (head * N + i) * D, d);
    });
    const auto results = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
        return kg::load(out + (head * N + i) * D, d);
    });
    const auto log_sum = [=](int64_t i) {
        return kg::load_one<T>(lse + head * N + i);
    };
    const auto seen = [=](int64_t i) {
        return kg::SeenColumns{0, i + M - N + 1};
    };
    const auto logit = [=](int64_t i, auto j, auto product) {
        return product * scale;
    };
    const auto slope = [](auto) { return T(1); };
    const kg::GradientRows rows_of_head{queries, gradients, results, log_sum, seen, logit, slope, kg::NoDropout{}};
    const auto output = [=](int64_t i, auto d, auto value) {
        kg::store<STREAM>(dq + (head * N + i) * D, d, value);
    };
    kg::query_gradients<T, REGISTER_M, BLOCK_M, BLOCK_N>(tile_rows, M, D, scale, rows_of_head, keys, values, output);
    kg::end_of_stores<STREAM>();
}

// A tile of columns: it adds over the rows of all heads that share them.
extern "C" [[gnu::flatten]] void attention_backward_keys(const DTYPE* q, const DTYPE* k, const DTYPE* v,
                                                         const DTYPE* out, const float* lse, const DTYPE* dout,
                                                         DTYPE* dq, DTYPE* dk, DTYPE* dv, int64_t B, int64_t H,
                                                         int64_t N, int64_t D, int64_t Hk, int64_t M,
                                                         int64_t pid0, int64_t pid1, int64_t) {
    const kg::Tile tile_columns = kg::tile(pid0, BLOCK_N, M);
    const int64_t kv_head = pid1;
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto keys = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
        return kg::load(k + (kv_head * M + i) * D, d);
    });
    const auto values = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
        return kg::load(v + (kv_head * M + i) * D, d);
    });
    const kg::KeyGradients<T, REGISTER_M, BLOCK_M, BLOCK_N> sums(tile_columns, D, keys, values);
    // Heads of a group share keys.
    const int64_t last_head = kv_head / Hk * H + (kv_head % Hk + 1) * (H / Hk);
    for (int64_t head = last_head - H / Hk; head < last_head; ++head) {
        const auto queries = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
            return kg::load(q + (head * N + i) * D, d);
        });
        const auto gradients = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
            return kg::load(dout + (head * N + i) * D, d);
        });
        const auto results = kg::along_depth<DTYPE>([=](int64_t i, auto d) {
            return kg::load(out + (head * N + i) * D, d);
        });
        const auto log_sum = [=](int64_t i) {
            return kg::load_one<T>(lse + head * N + i);
        };
        const auto seen = [=](int64_t i) {
            return kg::SeenColumns{0, i + M - N + 1};
        };
        const auto logit = [=](int64_t i, auto j, auto product) {
            return product * scale;
        };
        const auto slope = [](auto) { return T(1); };
        const kg::GradientRows rows_of_head{queries, gradients, results, log_sum, seen, logit, slope, kg::NoDropout{}};
        sums.add(N, M, rows_of_head);
    }
    const auto key_output = [=](int64_t i, auto d, auto value) {
        kg::store<STREAM>(dk + (kv_head * M + i) * D, d, value);
    };
    const auto value_output = [=](int64_t i, auto d, auto value) {
        kg::store<STREAM>(dv + (kv_head * M + i) * D, d, value);
    };
    sums.finish(scale, key_output, value_output);
    kg::end_of_stores<STREAM>();
}

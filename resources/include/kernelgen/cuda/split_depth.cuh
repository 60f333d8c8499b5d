// SPDX-License-Identifier: Apache-2.0
// A tile whose depth the blocks of a cluster share: each has a part of the depth, and at last a part of the columns, for
// which the others send their sums to its shared memory. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// Places of the depth, from `begin` to before `end`; none where these are equal.
struct DepthRange {
    int64_t begin, end;
};

/// `split` blocks share the depth, in multiples of `block_k`. `fragments` of `columns` are a warp's, of `threads` threads.
/// Where the architecture has no clusters with wgmma, the first block has all.
template <int split, int block_k, int fragments, int columns, int threads>
struct SplitDepth {
    static constexpr bool is_shared = has_wgmma && split > 1;
    static constexpr int blocks = is_shared ? split : 1;
    static constexpr int own_columns = columns / blocks;  // of a warp at last
    static constexpr int bytes = fragments * columns / 2 * threads * 4;  // of shared memory

    static KG_DEVICE int rank() { return static_cast<int>(block_index() % split); }
    /// Whether this block has nothing to do.
    static KG_DEVICE bool is_idle() { return split > 1 && !is_shared && rank() != 0; }
    static KG_DEVICE DepthRange range(int64_t depth) {
        if constexpr (!is_shared) return {0, depth};
        const int64_t stages = (depth + block_k - 1) / block_k, end = stages * (rank() + 1) / split * block_k;
        return {stages * rank() / split * block_k, end < depth ? end : depth};
    }
    static KG_DEVICE int first_column() { return is_shared ? rank() * own_columns : 0; }

    /// By all threads that multiply, while all others of the cluster are in wait_for_exchange: makes the first columns of
    /// `sums` the whole sums of this block's own, in the order of the blocks.
    static KG_DEVICE void exchange(float (&sums)[fragments][columns / 2], float* shared) {
        constexpr int values = own_columns / 2;
        const auto place = [&](int from, int f, int i) {
            return shared + ((from * fragments + f) * values + i) * threads + thread_index();
        };
        barrier_of_cluster();  // all have read what lay there
        KG_UNROLL
        for (int to = 0; to < split; ++to) {
            KG_UNROLL
            for (int f = 0; f < fragments; ++f) {
                KG_UNROLL
                for (int i = 0; i < values; ++i) store_in_block(place(rank(), f, i), to, sums[f][to * values + i]);
            }
        }
        barrier_of_cluster();
        KG_UNROLL
        for (int f = 0; f < fragments; ++f) {
            KG_UNROLL
            for (int i = 0; i < values; ++i) {
                float sum = 0;
                KG_UNROLL
                for (int from = 0; from < split; ++from) sum += *place(from, f, i);
                sums[f][i] = sum;
            }
        }
        publish_to_wgmma();  // copies may come here next
        barrier_of_cluster();
    }
    /// By all threads that do not multiply.
    static KG_DEVICE void wait_for_exchange() {
        KG_UNROLL
        for (int barrier = 0; barrier < 3; ++barrier) barrier_of_cluster();
    }
};

}  // namespace kg

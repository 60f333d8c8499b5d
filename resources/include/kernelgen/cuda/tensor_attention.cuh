// SPDX-License-Identifier: Apache-2.0
// softmax(q·kᵀ)·v by tensor cores for elements of 16 bits (sm_90a): four warps bring queries, keys and values to shared
// memory (attention_stages.cuh), warpgroups of 64 rows multiply. The softmax of a block of columns is computed while the products of the next ones are, and while
// another warpgroup's are. The design is FlashAttention-3's (Shah et al. 2024). docs/ATTENTION.md explains it.
#pragma once

namespace kg {

/// Tiles of `block_m` rows of heads of at most `head` elements, `block_n` columns at a time, by `warps` warps and stages
/// in shared memory (AttentionStages). `takes_turns`: warpgroups begin products in turn, so that one computes weights
/// while another multiplies.
template <class Element, int block_m, int block_n, int head, int warps, int stages, int query_stages, bool takes_turns>
class TensorAttention {
    static constexpr int groups = warps / 4, threads = 32 * warps;
    static_assert(!takes_turns || groups > 1, "turns of one warpgroup");
    static_assert(block_m == 64 * groups && block_n % 16 == 0 && head % 32 == 0 && head <= 256);
    static constexpr ElementKind kind = kind_of<Element>;
    using Stages = AttentionStages<Element, block_m, block_n, head, warps, stages, query_stages>;
    using Softmax = OnlineSoftmax<block_n>;

    Stages stages_;
    typename Stages::QueryStage query_stage_;  ///< that is read next
    typename Stages::ColumnStage key_stage_, value_stage_;

    static KG_DEVICE int group() { return thread_index() / 128; }

    /// Begins to compute the scores of the block whose keys are next.
    KG_DEVICE void begin_scores(float (&scores)[block_n / 2]) {
        const Described queries = described(stages_.queries_of(query_stage_, 64 * group()));
        const Described keys = described(stages_.keys_of(key_stage_));
        begin_wgmma();
        KG_UNROLL
        for (int d = 0; d < head; d += 16) {
            const int in_panel = d % 64 * 2;
            multiply_described<kind, block_n>(scores, queries.at(d / 64 * block_m * 128 + in_panel),
                                              keys.at(d / 64 * block_n * 128 + in_panel), d > 0);
        }
        end_of_wgmma();
    }
    /// Begins to add the values of the block that is next, by their weights.
    KG_DEVICE void begin_values(const uint32_t (&weights)[block_n / 4], float (&sums)[head / 2]) {
        stages_.values().wait_until_written(value_stage_);
        const Described values = described(stages_.values_of(value_stage_));
        keep_in_order(sums);  // which were scaled just now
        begin_wgmma();
        KG_UNROLL
        for (int column = 0; column < block_n; column += 16)
            multiply_from_registers<kind, head>(sums, weights + column / 4, values.at(column * 128));
        end_of_wgmma();
    }
    KG_DEVICE void take_turn() {
        if constexpr (takes_turns) wait_at_barrier<256>(2 + group());
    }
    KG_DEVICE void pass_turn() {
        if constexpr (takes_turns) arrive_at_barrier<256>(2 + (group() + 1) % groups);
    }

    /// The first of this lane's rows in the tile whose first row is `row`; the other is 8 further.
    static KG_DEVICE int64_t row_of_lane(int64_t row) {
        return row + thread_index() / 32 * 16 + thread_index() % 32 / 4;
    }
    /// Hides what is not seen of a block of columns; of most blocks all is.
    template <class Head>
    static KG_DEVICE void mask(float (&scores)[block_n / 2], const Head& of, int64_t row, int block) {
        const int64_t column = int64_t{block} * block_n, first = row + 64 * group();
        const bool is_seen = of.seen(first + 63).first <= column && column + block_n <= of.seen(first).last;
        if (!is_seen || column + block_n > of.columns)
            Softmax::mask(scores, row_of_lane(row), column, of.columns, of.seen);
    }

    /// Where the results of a tile go.
    template <class Output, class Lse>
    struct Results {
        Output output;
        Lse lse;
        int64_t row, end;

        KG_DEVICE void store(const Softmax& softmax, const float (&sums)[head / 2]) const {
            KG_UNROLL
            for (int half = 0; half < 2; ++half) {
                const int64_t row = row_of_lane(this->row) + 8 * half;
                const auto result = softmax.finish(half);
                store_row<head>(output, row, row < end, sums + 2 * half, result.factor);
                if (thread_index() % 4 == 0 && row < end) lse(row, result.log_sum);
            }
        }
    };

    /// What a warpgroup has of a tile between two blocks of columns. The values of the last block are not added yet: that
    /// is done by `weights` while the scores of the next block are computed.
    struct State {
        Softmax softmax;
        float scores[block_n / 2], sums[head / 2], kept[2];
        uint32_t weights[block_n / 4];
    };
    /// Computes the scores of a block, and begins to add the values of the one before unless this `is_first`.
    template <bool is_first, class Head>
    KG_DEVICE void begin_block(State& state, const Head& of, int64_t row, int block, bool is_last) {
        stages_.keys().wait_until_written(key_stage_);
        take_turn();
        begin_scores(state.scores);
        if constexpr (!is_first) begin_values(state.weights, state.sums);
        pass_turn();
        wait_for_wgmma<is_first ? 0 : 1>();
        keep_in_order(state.scores);
        stages_.keys().release(key_stage_);
        key_stage_.advance();
        if (is_last) {
            stages_.queries().release(query_stage_);
            query_stage_.advance();
        }
        if constexpr (decltype(of.logit)::is_prepared) {
            KG_UNROLL
            for (int i = 0; i < block_n / 2; ++i) state.scores[i] = of.logit.prepared(state.scores[i]);
        }
        mask(state.scores, of, row, block);
    }
    KG_DEVICE void end_values(State& state) {
        wait_for_wgmma<0>();
        keep_in_order(state.sums);
        stages_.values().release(value_stage_);
        value_stage_.advance();
    }
    static KG_DEVICE void clear(float (&sums)[head / 2]) {
        KG_UNROLL
        for (int i = 0; i < head / 2; ++i) sums[i] = 0;
    }
    /// The first block of a tile; the results of the tile before are stored, if `any`.
    template <class Head, class Before>
    KG_DEVICE void begin_tile(State& state, bool any, const Before& before, const Head& of, int64_t row,
                              const SeenBlocks& blocks) {
        stages_.queries().wait_until_written(query_stage_);
        const int block = blocks.end - 1;
        Softmax softmax(of.logit.factor());
        if (any) {
            begin_block<false>(state, of, row, block, block == blocks.first);
            softmax.weigh(state.scores, state.kept);
            end_values(state);
            before.store(state.softmax, state.sums);
        } else {
            begin_block<true>(state, of, row, block, block == blocks.first);
            softmax.weigh(state.scores, state.kept);
        }
        Softmax::template pack<Element>(state.scores, state.weights);
        clear(state.sums);
        state.softmax = softmax;
    }
    template <class Tiles, class Make>
    KG_DEVICE void add_tiles(Tiles tiles, const Make& make) {
        using Head = decltype(make(0));
        Results<decltype(Head::output), decltype(Head::lse)> results = {};
        State state = {};
        bool any = false;
        if (takes_turns && group() == groups - 1) pass_turn();
        for (; tiles.any(); tiles.next()) {
            const Head of = make(tiles.head());
            const int64_t row = tiles.row();
            const SeenBlocks blocks = Stages::blocks_of(row, of);
            if (!blocks.any()) {
                const float zeros[head / 2] = {};
                Results<decltype(Head::output), decltype(Head::lse)>{of.output, of.lse, row, of.rows}.store({}, zeros);
                continue;
            }
            begin_tile(state, any, results, of, row, blocks);
            for (int block = blocks.end - 2; block >= blocks.first; --block) {
                begin_block<false>(state, of, row, block, block == blocks.first);
                state.softmax.weigh(state.scores, state.kept);
                end_values(state);
                Softmax::template pack<Element>(state.scores, state.weights);
                KG_UNROLL
                for (int i = 0; i < head / 2; ++i) state.sums[i] *= state.kept[i / 2 % 2];
            }
            results = {of.output, of.lse, row, of.rows};
            any = true;
        }
        if (!any) return;
        begin_values(state.weights, state.sums);
        end_values(state);
        results.store(state.softmax, state.sums);
    }

    static KG_DEVICE void give_to_multiply() {
        if constexpr (groups == 2) give_registers<40>();
        if constexpr (groups == 3) give_registers<32>();
    }
    static KG_DEVICE void take_to_multiply() {
        if constexpr (groups == 2) take_registers<232>();
        if constexpr (groups == 3) take_registers<160>();
    }

public:
    /// Computes the block's tiles; make(head) gives the AttentionHead of a head.
    template <class Tiles, class Make>
    static KG_DEVICE void compute(const Tiles& tiles, const Make& make, float*) {
        TensorAttention attention;
        if (thread_index() >= threads) {
            give_to_multiply();
            attention.stages_.copy(tiles, make);
        } else {
            take_to_multiply();
            attention.add_tiles(tiles, make);
        }
    }
};

}  // namespace kg

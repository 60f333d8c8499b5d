// SPDX-License-Identifier: Apache-2.0
// softmax(q·kᵀ)·v by tensor cores for elements of 8 bits with scales (sm_90a). As TensorAttention, of which it has the
// schedule: scores of a block of columns are computed together with the values of the block before, and the softmax
// meanwhile. Weights are multiplied in E4M3, and what a block gives is added to the sums in float. docs/ATTENTION.md
// explains it.
#pragma once

namespace kg {

/// As TensorAttention. Values come as tiles of 128 columns (ValueTile), and scales of blocks belong to so many columns.
template <class Element, int block_m, int block_n, int head, int warps, int stages, int query_stages, bool takes_turns>
class ByteAttention {
    static constexpr int groups = warps / 4, threads = 32 * warps, depth = 32;
    static_assert(!takes_turns || groups > 1, "turns of one warpgroup");
    static_assert(groups == 2 && block_m == 64 * groups && block_n == 128 && head % 32 == 0 && head <= 128);
    static constexpr ElementKind kind = kind_of<Element>;
    using Stages = AttentionStages<Element, block_m, block_n, head, warps, stages, query_stages>;
    using Softmax = OnlineSoftmax<block_n, true>;

    Stages stages_;
    typename Stages::QueryStage query_stage_;  ///< that is read next
    typename Stages::ColumnStage key_stage_, value_stage_;

    /// What a warpgroup has of a tile between two blocks of columns. The values of the last block are not added yet: that
    /// is done by `weights` while the scores of the next block are computed.
    struct State {
        Softmax softmax;
        SeenBlocks whole;  ///< blocks of which the warpgroup's rows see all
        float scores[block_n / 2], sums[head / 2], kept[2];
        uint32_t weights[block_n / 8];
        float of_block[head / 2];  ///< what the block's values give
        // Where blocks have scales: those of the block's keys and values, and what `sums` are to be times.
        float key_scale, next_value_scale, value_scale;
        float query_scales[2];  ///< of this lane's rows, where logits are capped

        KG_DEVICE void add_block() {
            KG_UNROLL
            for (int i = 0; i < head / 2; ++i) sums[i] = fmaf(sums[i], kept[i / 2 % 2], of_block[i]);
        }
    };
    /// Queries or keys have scales of blocks.
    template <class Head>
    static constexpr bool has_factors = decltype(Head::queries.scale)::is_by_block || decltype(Head::keys.scale)::is_by_block;
    template <class Head>
    static constexpr bool has_value_blocks = decltype(Head::values.scale)::is_by_block;
    template <class Head>
    static constexpr bool is_capped = decltype(Head::logit)::is_prepared;

    static KG_DEVICE int group() { return same_in_warp(thread_index() / 128); }

    /// Begins to compute the scores of the block whose keys are next.
    KG_DEVICE void begin_scores(float (&scores)[block_n / 2]) {
        const Described queries = described(stages_.queries_of(query_stage_, 64 * group()));
        const Described keys = described(stages_.keys_of(key_stage_));
        begin_wgmma();
        KG_UNROLL
        for (int d = 0; d < head; d += depth)
            multiply_described<kind, block_n>(scores, queries.at(d), keys.at(d), d > 0);
        end_of_wgmma();
    }
    /// Begins to add the values of the block that is next, by their weights.
    KG_DEVICE void begin_values(State& state) {
        stages_.values().wait_until_written(value_stage_);
        const Described values = described(stages_.values_of(value_stage_));
        keep_in_order(state.of_block);
        begin_wgmma();
        multiply_from_registers<kind, head, false>(state.of_block, state.weights, values);
        KG_UNROLL
        for (int column = depth; column < block_n; column += depth)
            multiply_from_registers<kind, head>(state.of_block, state.weights + column / 8, values.at(column));
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
    /// The blocks of columns of which this warpgroup's rows see all: of most tiles all but one or two.
    template <class Head>
    static KG_DEVICE SeenBlocks whole_blocks(const Head& of, int64_t row) {
        const int64_t first = of.seen(row + 64 * group() + 63).first, last = of.seen(row + 64 * group()).last;
        const int64_t end = last < of.columns ? last : of.columns;
        return {first <= 0 ? 0 : static_cast<int>((first + block_n - 1) / block_n),
                end <= 0 ? 0 : static_cast<int>(end / block_n)};
    }
    /// Hides what is not seen of a block of columns.
    template <class Head>
    static KG_DEVICE void mask(State& state, const Head& of, int64_t row, int block) {
        if (block < state.whole.first || block >= state.whole.end)
            Softmax::mask(state.scores, row_of_lane(row), int64_t{block} * block_n, of.columns, of.seen);
    }

    /// A tile whose results are to be stored. What only they need is computed again then, so that no register holds it
    /// while other tiles are computed.
    struct Done {
        int number, row;  ///< of the head; the first row
        float factor;  ///< of the sums
    };
    template <class Head>
    static KG_DEVICE void store(const Head& of, const Done& done, const Softmax& softmax, const float (&sums)[head / 2]) {
        KG_UNROLL
        for (int half = 0; half < 2; ++half) {
            const int64_t row = row_of_lane(done.row) + 8 * half;
            const auto result = softmax.finish(half);
            store_row<head>(of.output, row, row < of.rows, sums + 2 * half, result.factor * done.factor);
            if (thread_index() % 4 == 0 && row < of.rows) of.lse(row, result.log_sum);
        }
    }

    /// Computes the scores of a block, and begins to add the values of the one before unless this `is_first`.
    template <bool is_first, class Head>
    KG_DEVICE void begin_block(State& state, const Head& of, int64_t row, int block, bool is_last) {
        // Read before anything is waited for.
        if constexpr (has_factors<Head> || is_capped<Head>) state.key_scale = of.keys.scale(int64_t{block} * block_n);
        if constexpr (has_value_blocks<Head>) state.next_value_scale = of.values.scale(int64_t{block} * block_n);
        stages_.keys().wait_until_written(key_stage_);
        take_turn();
        begin_scores(state.scores);
        if constexpr (!is_first) begin_values(state);
        pass_turn();
        wait_for_wgmma<is_first ? 0 : 1>();
        keep_in_order(state.scores);
        stages_.keys().release(key_stage_);
        key_stage_.advance();
        if (is_last) {
            stages_.queries().release(query_stage_);
            query_stage_.advance();
        }
        if constexpr (is_capped<Head>) {
            KG_UNROLL
            for (int i = 0; i < block_n / 2; ++i) {
                const float scale = state.query_scales[i / 2 % 2] * state.key_scale;
                state.scores[i] = of.logit.prepared(state.scores[i] * scale);
            }
        }
        mask(state, of, row, block);
    }
    KG_DEVICE void end_values(State& state) {
        wait_for_wgmma<0>();
        keep_in_order(state.of_block);
        stages_.values().release(value_stage_);
        value_stage_.advance();
        state.add_block();
    }
    /// Makes the weights of a block ready to be multiplied by its values.
    template <class Head>
    static KG_DEVICE void pack(State& state) {
        Softmax::pack_bytes(state.scores, state.weights);
        if constexpr (has_value_blocks<Head>) {
            // The sums are those of values that have this block's scale.
            const float change = state.value_scale * approximate_reciprocal(state.next_value_scale);
            for (int half = 0; half < 2; ++half) state.kept[half] *= change;
            state.value_scale = state.next_value_scale;
        }
    }
    static KG_DEVICE void clear(float (&sums)[head / 2]) {
        KG_UNROLL
        for (int i = 0; i < head / 2; ++i) sums[i] = 0;
    }
    /// The scales of this lane's two rows.
    template <class Head>
    static KG_DEVICE void read_row_scales(const Head& of, int64_t row, float (&scales)[2]) {
        for (int half = 0; half < 2; ++half) {
            const int64_t of_lane = row_of_lane(row) + 8 * half;
            scales[half] = of_lane < of.rows ? of.queries.scale(of_lane) : 1;
        }
    }
    template <class Head>
    static KG_DEVICE Softmax softmax_of(const Head& of, int64_t row, State& state) {
        read_row_scales(of, row, state.query_scales);
        constexpr float none[2] = {1, 1};
        if constexpr (is_capped<Head>) return Softmax(of.logit.factor(), none);
        const float factor = of.logit.factor() * (has_factors<Head> ? 1.0f : of.keys.scale(0));
        return Softmax(factor, state.query_scales);
    }
    /// From scores to weights that are ready to be multiplied. While they are computed, what the block before gave is added
    /// to the sums; `between` does what is to be done with those.
    template <bool is_first, class Head, class Between>
    KG_DEVICE void weigh(Softmax& softmax, State& state, const Between& between) {
        float kept[2];
        typename Softmax::Exponent exponents[2];
        softmax.template begin_to_weigh<(has_factors<Head> && !is_capped<Head>)>(state.scores, kept, exponents, state.key_scale);
        if constexpr (!is_first) end_values(state);
        between();
        for (int half = 0; half < 2; ++half) softmax.exponentiate(half, state.scores, exponents[half], kept[half]);
        state.kept[0] = kept[0], state.kept[1] = kept[1];
        pack<Head>(state);
    }
    /// The first block of a tile; the results of the tile before are stored, if `any`.
    template <class Head, class Make>
    KG_DEVICE void begin_tile(State& state, bool any, const Done& before, const Make& make, const Head& of, int64_t row,
                              const SeenBlocks& blocks) {
        stages_.queries().wait_until_written(query_stage_);
        const int block = blocks.end - 1;
        state.whole = whole_blocks(of, row);
        Softmax softmax = softmax_of(of, row, state);
        if (any) {
            begin_block<false>(state, of, row, block, block == blocks.first);
            weigh<false, Head>(softmax, state, [&] { store(make(before.number), before, state.softmax, state.sums); });
        } else {
            begin_block<true>(state, of, row, block, block == blocks.first);
            weigh<true, Head>(softmax, state, [] {});
        }
        clear(state.sums);
        state.softmax = softmax;
    }
    template <class Tiles, class Make>
    KG_DEVICE void add_tiles(Tiles tiles, const Make& make) {
        using Head = decltype(make(0));
        Done done = {};
        State state = {};
        bool any = false;
        if (takes_turns && group() == groups - 1) pass_turn();
        for (; tiles.any(); tiles.next()) {
            const Head of = make(tiles.head());
            const int64_t row = tiles.row();
            const SeenBlocks blocks = Stages::blocks_of(row, of);
            if (!blocks.any()) {
                const float zeros[head / 2] = {};
                store(of, {tiles.head(), static_cast<int>(row), 0}, {}, zeros);
                continue;
            }
            begin_tile(state, any, done, make, of, row, blocks);
            for (int block = blocks.end - 2; block >= blocks.first; --block) {
                begin_block<false>(state, of, row, block, block == blocks.first);
                weigh<false, Head>(state.softmax, state, [] {});
            }
            done = {tiles.head(), static_cast<int>(row), has_value_blocks<Head> ? state.value_scale : of.values.scale(0)};
            any = true;
        }
        if (!any) return;
        begin_values(state);
        end_values(state);
        store(make(done.number), done, state.softmax, state.sums);
    }

public:
    /// Computes the block's tiles; make(head) gives the AttentionHead of a head.
    template <class Tiles, class Make>
    static KG_DEVICE void compute(const Tiles& tiles, const Make& make, float*) {
        ByteAttention attention;
        if (thread_index() >= threads) {
            give_registers<40>();
            attention.stages_.copy(tiles, make);
        } else {
            take_registers<232>();
            attention.add_tiles(tiles, make);
        }
    }
};

}  // namespace kg

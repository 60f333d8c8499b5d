// SPDX-License-Identifier: Apache-2.0
// The gradients of attention by tensor cores for elements of 16 bits (sm_90a). A block has the sums of keys and values of
// its columns and goes over the tiles of rows that see them; what it has of the queries' gradients it adds to a
// workspace. The design follows FlashAttention-3's (Shah et al. 2024). docs/ATTENTION.md explains it.
#pragma once

namespace kg {

/// Blocks of columns as GradientShares says; `block_m` rows at a time, of heads of at most `head` elements, by `warps`
/// warps. `in_turn`: blocks add to a tile's sums in a fixed order.
template <class Element, int block_m, int head, int warps, int stages, bool in_turn>
class TensorGradients {
public:
    using Shares = GradientShares<block_m, head, warps>;
    static constexpr int groups = Shares::groups, threads = 32 * warps, block_n = Shares::block_n;
    static constexpr bool splits_head = Shares::splits_head;
    using Stages = GradientStages<block_m, block_n, head, warps, stages, (splits_head ? 4 : 2)>;
    using Sums = GradientSums<block_m, head>;

private:
    static constexpr ElementKind kind = kind_of<Element>;
    static constexpr int score_rows = Shares::score_rows, own_rows = Shares::own_rows, own_head = Shares::own_head;

    static KG_DEVICE int group() { return thread_index() / 128; }
    static KG_DEVICE int warp_in_group() { return thread_index() / 32 % 4; }
    static KG_DEVICE int lane() { return thread_index() % 32; }
    /// The first column of the block, and the first row of a tile, of this warpgroup's scores.
    static KG_DEVICE int own_column() { return splits_head ? 0 : 64 * group(); }
    static KG_DEVICE int own_row() { return splits_head ? score_rows * group() : 0; }

    /// Whether the values' sums are begun before the gradients of logits are computed: there must be registers for both.
    static constexpr bool adds_early = block_m <= 64 && !splits_head;

    using Scores = float[score_rows / 2];  ///< rows are columns of the block, columns are rows of the head
    using Words = uint32_t[score_rows / 4];
    using QuerySums = float[Shares::own_panels][own_rows / 2];
    struct alignas(8) TwoRows {
        float first, second;
    };

    Stages stages_;
    Sums sums_;
    typename Stages::Stage stage_;
    int buffer_ = 0;  ///< of slopes

    KG_DEVICE explicit TensorGradients(Sums sums) : sums_(sums) {}

    /// Begins to multiply this warpgroup's keys, or values, by a tile of rows.
    static KG_DEVICE void begin_scores(Scores& scores, Described columns, Described rows) {
        begin_wgmma();
        KG_UNROLL
        for (int d = 0; d < head; d += 16) {
            const int in_panel = d % 64 * 2;
            multiply_described<kind, score_rows>(
                scores, columns.at(own_column() * 128 + d / 64 * block_n * 128 + in_panel),
                rows.at(own_row() * 128 + d / 64 * block_m * 128 + in_panel), d > 0);
        }
        end_of_wgmma();
    }
    /// Begins to add the rows of a tile, by weights, to the sums of this warpgroup's columns. The weights are its own, or
    /// where it has some elements of a head those of all warpgroups, in shared memory.
    KG_DEVICE void begin_sums(float (&sums)[own_head / 2], const Words& weights, int buffer, Described rows) const {
        begin_wgmma();
        if constexpr (splits_head) {
            const Described all = described(SwizzledMatrix{stages_.slopes(buffer), 0});
            rows = rows.at(group() * (own_head / 64) * block_m * 128);
            KG_UNROLL
            for (int row = 0; row < block_m; row += 16)
                multiply_described<kind, own_head, true, true>(sums, all.at(row * 128), rows.at(row * 128), true);
        } else {
            KG_UNROLL
            for (int row = 0; row < block_m; row += 16)
                multiply_from_registers<kind, head>(sums, weights + row / 4, rows.at(row * 128));
        }
        end_of_wgmma();
    }
    /// Begins to multiply all columns' slopes by the keys, for this warpgroup's elements of its rows.
    KG_DEVICE void begin_query_sums(QuerySums& sums, int buffer) const {
        const Described slopes =
            described(SwizzledMatrix{stages_.slopes(buffer), 0}).at(Shares::first_row(group()) * 128);
        begin_wgmma();
        KG_UNROLL
        for (int panel = 0; panel < Shares::own_panels; ++panel) {
            const Described keys =
                described(stages_.keys()).at((Shares::first_panel(group()) + panel) * block_n * 128);
            KG_UNROLL
            for (int column = 0; column < block_n; column += 16)
                multiply_described<kind, own_rows, true>(
                    sums[panel], keys.at(column * 128), slopes.at(column / 64 * block_m * 128 + column % 64 * 2),
                    column > 0);
        }
        end_of_wgmma();
    }

    static KG_DEVICE void pack(const Scores& scores, Words& words) {
        KG_UNROLL
        for (int i = 0; i < score_rows / 4; ++i)
            words[i] = is_same<Element, kg_bf16> ? bfloats(scores[2 * i], scores[2 * i + 1])
                                                 : halves(scores[2 * i], scores[2 * i + 1]);
    }
    /// Calls change(i, statistic of the row) for each score.
    template <class Change>
    static KG_DEVICE void for_each(const float* statistics, const Change& change) {
        KG_UNROLL
        for (int i = 0; i < score_rows / 2; i += 4) {
            const float* const of_rows = statistics + own_row() + i * 2 + lane() % 4 * 2;
            const TwoRows two = *reinterpret_cast<const TwoRows*>(of_rows);
            change(i, two.first);
            change(i + 1, two.second);
            change(i + 2, two.first);
            change(i + 3, two.second);
        }
    }
    /// Makes 0 what the rows from `row` on do not see of the columns from `column` on.
    template <class Heads>
    static KG_DEVICE void hide(Scores& scores, const Heads& of, int64_t row, int64_t column) {
        KG_UNROLL
        for (int half = 0; half < 2; ++half) {
            const int64_t own = column + own_column() + 16 * warp_in_group() + lane() / 4 + 8 * half;
            SeenRows seen = rows_that_see(own, row + own_row(), of.seen);
            if (own >= of.columns) seen.end = seen.first;
            const int first = seen.first - lane() % 4 * 2, end = seen.end - lane() % 4 * 2;
            KG_UNROLL
            for (int i = 0; i < score_rows / 4; ++i) {
                const int place = i / 2 * 8 + i % 2;
                float& score = scores[i / 2 * 4 + half * 2 + i % 2];
                score = place >= first && place < end ? score : 0.0f;
            }
        }
    }
    /// Whether some of a tile's rows do not see all of the block's columns.
    template <class Heads>
    static KG_DEVICE bool hides(const Heads& of, int tile, int64_t column) {
        const int64_t row = tile * int64_t{block_m};
        return of.seen(row + block_m - 1).first > column || of.seen(row).last < column + block_n ||
               of.columns < column + block_n;
    }
    /// Puts gradients of logits to where all warpgroups read them, a row's columns after each other.
    KG_DEVICE void put(const Words& slopes, int buffer) const {
        unsigned char* const panel = stages_.slopes(buffer) + own_column() * (block_m * 2);
        KG_UNROLL
        for (int row = 0; row < score_rows; row += 16) {
            const int line = own_row() + row + lane() / 16 * 8 + lane() % 8;
            const int offset = line * 128 + warp_in_group() * 32 + lane() / 8 % 2 * 16;
            stmatrix_transposed(panel + swizzled(offset), slopes + row / 4);
        }
    }
    /// Adds what this warpgroup has to the sums of a tile.
    KG_DEVICE void add_query_sums(const QuerySums& sums, int64_t tile) const {
        float* const to = sums_.of_tile(tile) + thread_index() * 4;
        KG_UNROLL
        for (int panel = 0; panel < Shares::own_panels; ++panel) {
            KG_UNROLL
            for (int i = 0; i < own_rows / 2; i += 4)
                add_four_atomically(to + (panel * (own_rows / 2) + i) * threads, sums[panel] + i);
        }
    }

    static KG_DEVICE void group_barrier() { wait_at_barrier<128>(3 + group()); }
    /// Waits until the blocks of further columns have added to the tile. What this block added to `before` is there then,
    /// and is told.
    template <class Heads>
    KG_DEVICE void take_turn(int before, int number, int tile, int64_t column, const Heads& of) const {
        if constexpr (!in_turn) return;
        tell_turn(before);
        if (thread_index() % 128 == 0) {
            const int64_t seen = of.seen(last_row<block_m>(tile, of)).last, end = seen < of.columns ? seen : of.columns;
            const int64_t further = (end - 1) / block_n - column / block_n;
            wait_until_counted(sums_.turn(number, group()), static_cast<uint32_t>(further));
        }
        group_barrier();
    }
    /// Lets the next block add to a tile.
    KG_DEVICE void tell_turn(int before) const {
        if constexpr (!in_turn) return;
        if (before < 0) return;
        publish_to_device();
        group_barrier();
        if (thread_index() % 128 == 0) count(sums_.turn(before, group()));
    }

    /// The sums of this warpgroup's columns.
    struct ColumnSums {
        float keys[own_head / 2] = {}, values[own_head / 2] = {};
    };
    /// The tile of rows that is added, the number of its head's first one, and that of the tile before, or −1.
    struct Place {
        int tile, first, before;
    };
    /// Adds a tile, and goes on to the next one.
    template <class Heads>
    KG_DEVICE void add_tile(ColumnSums& all, Place& at, int64_t column, const SeenBlocks& tiles, const Heads& of) {
        const int64_t row = at.tile * int64_t{block_m};
        Scores scores, products;
        stages_.queries().wait_until_written(stage_);
        begin_scores(scores, described(stages_.keys()), described(stages_.queries_of(stage_)));
        stages_.gradients().wait_until_written(stage_);
        const Described gradients = described(stages_.gradients_of(stage_));
        begin_scores(products, described(stages_.values()), gradients);
        wait_for_wgmma<1>();
        keep_in_order(scores);
        const float* const statistics = stages_.statistics_of(stage_);
        const float scale = of.scale * log2_e;
        for_each(statistics,
                 [&](int i, float shift) { scores[i] = approximate_exp2(fmaf(scores[i], scale, shift)); });
        const bool is_hiding = hides(of, at.tile, column);
        if (is_hiding) hide(scores, of, row, column);
        Words weights;
        pack(scores, weights);
        if constexpr (adds_early) begin_sums(all.values, weights, 2 + buffer_, gradients);
        wait_for_wgmma<adds_early ? 1 : 0>();
        keep_in_order(products);
        for_each(statistics + block_m,
                 [&](int i, float delta) { products[i] = scores[i] * (products[i] - delta); });
        if (is_hiding) hide(products, of, row, column);
        Words slopes;
        pack(products, slopes);
        put(slopes, buffer_);
        if constexpr (splits_head) put(weights, 2 + buffer_);
        publish_to_wgmma();
        if constexpr (splits_head) wait_at_barrier<threads>(2);
        if constexpr (!adds_early) begin_sums(all.values, weights, 2 + buffer_, gradients);
        begin_sums(all.keys, slopes, buffer_, described(stages_.queries_of(stage_)));
        wait_for_wgmma<1>();
        stages_.gradients().release(stage_);
        if constexpr (!splits_head) wait_at_barrier<threads>(2);
        QuerySums sums;
        begin_query_sums(sums, buffer_);
        wait_for_wgmma<1>();
        stages_.queries().release(stage_);
        wait_for_wgmma<0>();
        KG_UNROLL
        for (auto& each : sums) keep_in_order(each);
        const int number = at.first + at.tile;
        take_turn(at.before, number, at.tile, column, of);
        add_query_sums(sums, number);
        stage_.advance();
        buffer_ ^= 1;
        at.before = number;
        if (++at.tile < tiles.end) return;
        at.tile = tiles.first;
        at.first += tiles_of_rows<block_m>(of.rows);
    }
    /// Adds the tiles of all heads.
    template <class Heads>
    KG_DEVICE void add(ColumnSums& all, int64_t column, const SeenBlocks& tiles, const Heads& of) {
        wait_for(stages_.keys_written(), 0);
        wait_for(stages_.values_written(), 0);
        Place at{tiles.first, of.first_head * tiles_of_rows<block_m>(of.rows), -1};
        for (int left = (tiles.end - tiles.first) * of.heads; left > 0; --left) add_tile(all, at, column, tiles, of);
        keep_in_order(all.keys);
        keep_in_order(all.values);
        tell_turn(at.before);
    }

    /// Stores the gradients of this warpgroup's columns.
    template <class Heads>
    static KG_DEVICE void store(const ColumnSums& all, int64_t column, const Heads& of) {
        KG_UNROLL
        for (int half = 0; half < 2; ++half) {
            const int64_t own = column + own_column() + 16 * warp_in_group() + lane() / 4 + 8 * half;
            const int first = splits_head ? group() * own_head : 0;
            store_row<own_head>(of.key_gradients, own, own < of.all_columns, all.keys + 2 * half, of.scale, first);
            store_row<own_head>(of.value_gradients, own, own < of.all_columns, all.values + 2 * half, 1.0f, first);
        }
    }

    /// The number of the block, in the order in which blocks begin where it matters.
    KG_DEVICE unsigned number() const {
        if constexpr (!in_turn) return block_index();
        if (thread_index() == 0) stages_.barriers().ticket = count(sums_.counters());
        block_barrier();
        return stages_.barriers().ticket;
    }

public:
    /// The gradients of the keys and values of a block of columns; make(kv_head) gives its GradientHeads. Blocks of
    /// `heads_by_turns` heads of keys begin by turns, those of the first columns first; in_turn: those of the last.
    template <class Make>
    static KG_DEVICE void compute(float* workspace, int64_t rows, int64_t row_heads, int64_t columns, int64_t kv_heads,
                                  int heads_by_turns, const Make& make) {
        static_assert(architecture == 900 || head == 0, "COPY_WARPS is for processors of sm_90a");
        TensorGradients gradients(Sums{workspace, tiles_of_rows<block_m>(rows) * row_heads});
        block_barrier();
        const auto blocks = static_cast<unsigned>((columns + block_n - 1) / block_n);
        const unsigned number = gradients.number(), turns = static_cast<unsigned>(heads_by_turns);
        const unsigned several = blocks * turns, first = number / several * turns;
        const unsigned left = static_cast<unsigned>(kv_heads) - first, by_turns = left < turns ? left : turns;
        const unsigned block = number % several / by_turns;
        int kv_head = static_cast<int>(first + number % several % by_turns);
        int column = static_cast<int>(in_turn ? blocks - 1 - block : block) * block_n;
        const auto of = make(kv_head);
        const SeenBlocks tiles = tiles_that_see<block_m, block_n>(column, of);
        if (thread_index() >= threads) {
            if constexpr (groups == 2) give_registers<24>();
            if (thread_index() == threads) gradients.stages_.copy(column, tiles, of, gradients.sums_);
        } else {
            if constexpr (groups == 2) take_registers<240>();
            ColumnSums all;
            if (tiles.any()) gradients.add(all, column, tiles, of);
            // Computed once more: what only this needs would take registers from the tiles.
            forget(kv_head);
            forget(column);
            store(all, column, make(kv_head));
        }
    }
};

}  // namespace kg

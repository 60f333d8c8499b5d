// SPDX-License-Identifier: Apache-2.0
// Queries, keys and values of attention on their way to shared memory: what the copying warps do, and where it lies.
#pragma once

namespace kg {

/// The shared memory of a block that computes tiles of `block_m` rows, `block_n` columns at a time, by `warps` warps:
/// `query_stages` tiles of queries, `stages` blocks of keys, as many of values, and the barriers. Of each row it holds
/// panels of 128 bytes (SwizzledMatrix); of values of 8 bits, tiles as ValueTile makes them. Four more warps fill it: where there are tensor maps one thread of
/// them begins all copies and the others leave; without maps all gather the elements.
template <class Element, int block_m, int block_n, int head, int warps, int stages, int query_stages>
class AttentionStages {
    static constexpr int threads = 32 * warps, copy_threads = 128;

public:
    static constexpr int size = sizeof(Element), in_panel = 128 / size;  ///< elements of a row
    static constexpr int panels = (head + in_panel - 1) / in_panel;
    static constexpr int query_bytes = block_m * panels * 128, key_bytes = block_n * panels * 128;
    static constexpr int value_bytes = size == 1 ? head * block_n : key_bytes;
    using Queries = CopiedStages<query_stages, warps, 1>;
    using Columns = CopiedStages<stages, warps, 1>;
    using QueryStage = StageInTurn<query_stages>;
    using ColumnStage = StageInTurn<stages>;

private:
    struct Barriers {
        Queries queries;
        Columns keys, values;
    };
    static_assert(sizeof(Barriers) <= 256, "what the launch's shared memory has for it");

    unsigned char *queries_, *keys_, *values_;
    Barriers* barriers_;

    /// By one thread: begins to copy rows of a head.
    template <int rows, class Rows>
    static KG_DEVICE void copy_rows(unsigned char* to, CopyBarrier& written, const Rows& from, int row, int64_t) {
        arrive_and_expect(written, rows * panels * 128);
        const int lines = from.lines_of_box(rows);
        for (int line = 0; line < rows; line += lines) {
            const auto place = from.box(row + line);
            for (int panel = 0; panel < panels; ++panel)
                copy_box<3, 1>(to + (panel * rows + line) * 128, *from.map, written, in_panel * panel, place.row,
                               place.matrix);
        }
    }
    template <int rows, class T, class Storage, class Scale>
    static KG_DEVICE void copy_rows(unsigned char* to, CopyBarrier& written, const TiledRows<T, Storage, Scale>& from,
                                    int row, int64_t) {
        arrive_and_expect(written, value_bytes);
        copy_bytes(to, from.tiles + int64_t{row} * head, written, value_bytes);
    }
    template <class Rows>
    static KG_DEVICE bool has_map(const Rows& rows) {
        return is_given(*rows.map) && rows.lines_of_box(block_n) > 0;
    }
    template <class T, class Storage, class Scale>
    static KG_DEVICE bool has_map(const TiledRows<T, Storage, Scale>&) {
        return true;
    }
    /// As `copy_rows`, by all copying threads, element by element. Rows from `end` on are zeros.
    template <int rows, class Rows>
    static KG_DEVICE void gather_rows(unsigned char* to, CopyBarrier& written, const Rows& from, int row, int64_t end) {
        for (int i = thread_index() - threads; i < rows * panels * 32; i += copy_threads) {
            const int line = row + i / 32 % rows, d = i / 32 / rows * in_panel + i % 32 * 4 / size;
            uint32_t word = 0;
            for (int each = 0; each < 4 / size; ++each) {
                if (line < end && d + each < from.size)
                    word |= uint32_t{from.address(line)[d + each].code} << (8 * size * each);
            }
            *reinterpret_cast<uint32_t*>(to + swizzled(4 * i)) = word;
        }
        publish_to_wgmma();
        barrier_of_threads<copy_threads>();
        if (thread_index() == threads) arrive(written);
    }
    template <int rows, class T, class Storage, class Scale>
    static KG_DEVICE void gather_rows(unsigned char* to, CopyBarrier& written, const TiledRows<T, Storage, Scale>& from,
                                      int row, int64_t end) {
        if (thread_index() == threads) copy_rows<rows>(to, written, from, row, end);
    }
    template <bool by_boxes, int rows, class Stages, class Stage, class Rows>
    static KG_DEVICE void copy_stage(unsigned char* to, Stages& barriers, Stage& stage, const Rows& from, int row,
                                     int64_t end) {
        barriers.wait_until_read(stage);
        if constexpr (by_boxes) copy_rows<rows>(to, barriers.written[stage.number], from, row, end);
        else gather_rows<rows>(to, barriers.written[stage.number], from, row, end);
        stage.advance();
    }
    template <bool by_boxes, class Tiles, class Make>
    KG_DEVICE void copy_tiles(Tiles tiles, const Make& make) const {
        QueryStage query_stage;
        ColumnStage key_stage, value_stage;
        for (; tiles.any(); tiles.next()) {
            const auto of = make(tiles.head());
            const int row = static_cast<int>(tiles.row());
            const SeenBlocks blocks = blocks_of(row, of);
            if (!blocks.any()) continue;
            const int first = blocks.first * block_n;
            int column = (blocks.end - 1) * block_n;
            const auto copy_keys = [&](int first_column) {
                copy_stage<by_boxes, block_n>(keys_ + key_stage.number * key_bytes, keys(), key_stage, of.keys, first_column, of.columns);
            };
            copy_keys(column);
            copy_stage<by_boxes, block_m>(queries_ + query_stage.number * query_bytes, queries(), query_stage, of.queries, row, of.rows);
            for (; column >= first; column -= block_n) {
                if (column > first) copy_keys(column - block_n);
                copy_stage<by_boxes, block_n>(values_ + value_stage.number * value_bytes, values(), value_stage, of.values, column,
                                              of.columns);
            }
        }
    }

public:
    KG_DEVICE AttentionStages() {
        unsigned char* const shared = launched_shared_memory();
        queries_ = shared + (1024 - reinterpret_cast<uint64_t>(shared) % 1024) % 1024;
        keys_ = queries_ + query_stages * query_bytes;
        values_ = keys_ + stages * key_bytes;
        barriers_ = reinterpret_cast<Barriers*>(values_ + stages * value_bytes);
        if (thread_index() == 0) {
            queries().make();
            keys().make();
            values().make();
        }
        block_barrier();
    }

    KG_DEVICE Queries& queries() const { return barriers_->queries; }
    KG_DEVICE Columns& keys() const { return barriers_->keys; }
    KG_DEVICE Columns& values() const { return barriers_->values; }
    /// Queries from row `line` of their tile on, and the block of keys, or of values, of a stage.
    KG_DEVICE SwizzledMatrix queries_of(const QueryStage& stage, int line) const {
        return {queries_ + stage.number * query_bytes + line * 128, block_m * 128};
    }
    KG_DEVICE SwizzledMatrix keys_of(const ColumnStage& stage) const {
        return {keys_ + stage.number * key_bytes, block_n * 128};
    }
    KG_DEVICE SwizzledMatrix values_of(const ColumnStage& stage) const {
        return {values_ + stage.number * value_bytes, (size == 1 ? head : block_n) * 128};
    }

    /// The blocks of columns of a tile. Its last block is the first to be copied and read.
    template <class Head>
    static KG_DEVICE SeenBlocks blocks_of(int64_t row, const Head& of) {
        const int64_t end = row + block_m < of.rows ? row + block_m : of.rows;
        return seen_blocks<block_n>(row, end - 1, of.columns, of.seen);
    }

    /// By the copying warps: copies what the block's tiles read.
    template <class Tiles, class Make>
    KG_DEVICE void copy(const Tiles& tiles, const Make& make) const {
        const auto of = make(0);
        if (has_map(of.queries) && has_map(of.keys) && has_map(of.values)) {
            if (thread_index() == threads) copy_tiles<true>(tiles, make);
        } else {
            copy_tiles<false>(tiles, make);
        }
    }
};

}  // namespace kg

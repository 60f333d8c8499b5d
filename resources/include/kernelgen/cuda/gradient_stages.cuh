// SPDX-License-Identifier: Apache-2.0
// The shared memory of a block that computes gradients of attention by tensor cores, and the thread that fills it.
#pragma once

namespace kg {

/// Keys and values of `block_n` columns; `stages` tiles of `block_m` queries, of gradients of the result, and of the rows'
/// statistics; `slope_tiles` tiles of gradients of logits, or weights; barriers. Of each row of `head` elements it holds
/// panels of 64, 128 bytes (SwizzledMatrix). `warps` warps read it.
template <int block_m, int block_n, int head, int warps, int stages, int slope_tiles>
class GradientStages {
public:
    static constexpr int panels = head / 64;
    static constexpr int row_bytes = block_m * panels * 128, column_bytes = block_n * panels * 128;
    static constexpr int slope_bytes = block_m * block_n * 2, statistic_bytes = 2 * block_m * 4;
    using Rows = CopiedStages<stages, warps, 1>;
    using Stage = StageInTurn<stages>;

private:
    struct Barriers {
        Rows queries, gradients;
        CopyBarrier keys, values;
        uint32_t ticket;
    };
    static_assert(sizeof(Barriers) <= 256, "what the launch's shared memory has for it");

    unsigned char* shared_;

    static constexpr int first_query = 2 * column_bytes, first_gradient = first_query + stages * row_bytes,
                         first_slope = first_gradient + stages * row_bytes,
                         first_statistic = first_slope + slope_tiles * slope_bytes,
                         first_barrier = first_statistic + stages * statistic_bytes;

    template <int rows>
    static KG_DEVICE void copy_rows(unsigned char* to, CopyBarrier& written, const CUtensorMap& map, int row,
                                    int head_number) {
        for (int panel = 0; panel < panels; ++panel)
            copy_box<3, 1>(to + panel * rows * 128, map, written, 64 * panel, row, head_number);
    }

public:
    static constexpr int bytes = first_barrier + 256 + 1024;  ///< of a launch

    KG_DEVICE GradientStages() {
        unsigned char* const shared = launched_shared_memory();
        shared_ = shared + (1024 - reinterpret_cast<uint64_t>(shared) % 1024) % 1024;
        if (thread_index() != 0) return;
        queries().make();
        gradients().make();
        make_barrier(keys_written(), 1);
        make_barrier(values_written(), 1);
        publish_barriers();
    }

    KG_DEVICE Barriers& barriers() const { return *reinterpret_cast<Barriers*>(shared_ + first_barrier); }
    KG_DEVICE Rows& queries() const { return barriers().queries; }
    KG_DEVICE Rows& gradients() const { return barriers().gradients; }
    KG_DEVICE CopyBarrier& keys_written() const { return barriers().keys; }
    KG_DEVICE CopyBarrier& values_written() const { return barriers().values; }

    KG_DEVICE SwizzledMatrix keys() const { return {shared_, block_n * 128}; }
    KG_DEVICE SwizzledMatrix values() const { return {shared_ + column_bytes, block_n * 128}; }
    KG_DEVICE SwizzledMatrix queries_of(const Stage& stage) const {
        return {shared_ + first_query + stage.number * row_bytes, block_m * 128};
    }
    KG_DEVICE SwizzledMatrix gradients_of(const Stage& stage) const {
        return {shared_ + first_gradient + stage.number * row_bytes, block_m * 128};
    }
    /// Row after row the gradients of the logits of 64 columns; the panel behind it has those of the next ones.
    KG_DEVICE unsigned char* slopes(int number) const { return shared_ + first_slope + number * slope_bytes; }
    KG_DEVICE const float* statistics_of(const Stage& stage) const {
        return reinterpret_cast<const float*>(shared_ + first_statistic + stage.number * statistic_bytes);
    }

    /// By one thread: begins to copy what a block reads for columns from `column` on.
    template <class Heads, class Sums>
    KG_DEVICE void copy(int column, const SeenBlocks& tiles, const Heads& of, const Sums& sums) const {
        if (!tiles.any()) return;
        const int tiles_of_head = tiles_of_rows<block_m>(of.rows);
        arrive_and_expect(keys_written(), column_bytes);
        copy_rows<block_n>(shared_, keys_written(), *of.keys, column, of.kv_head);
        Stage stage;
        for (int each = of.first_head; each < of.first_head + of.heads; ++each) {
            for (int tile = tiles.first; tile < tiles.end; ++tile) {
                queries().wait_until_read(stage);
                CopyBarrier& written = queries().written[stage.number];
                arrive_and_expect(written, row_bytes + statistic_bytes);
                copy_rows<block_m>(shared_ + first_query + stage.number * row_bytes, written, *of.queries,
                                   tile * block_m, each);
                copy_bytes(shared_ + first_statistic + stage.number * statistic_bytes,
                           sums.statistics(int64_t{each} * tiles_of_head + tile), written, statistic_bytes);
                if (each == of.first_head && tile == tiles.first) {
                    arrive_and_expect(values_written(), column_bytes);
                    copy_rows<block_n>(shared_ + column_bytes, values_written(), *of.values, column, of.kv_head);
                }
                gradients().wait_until_read(stage);
                CopyBarrier& second = gradients().written[stage.number];
                arrive_and_expect(second, row_bytes);
                copy_rows<block_m>(shared_ + first_gradient + stage.number * row_bytes, second, *of.gradients,
                                   tile * block_m, each);
                stage.advance();
            }
        }
    }
};

}  // namespace kg

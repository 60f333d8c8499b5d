// SPDX-License-Identifier: Apache-2.0
// How few rows meet the right operand in registers, as mma takes them, for both orders of its memory. The order of the
// depth within a part, and of lines within a group, is another than in memory: one that needs no exchange between lanes.
#pragma once

namespace kg {

/// Two words with the lower, and with the upper 16 bits of both.
KG_DEVICE uint32_t lower_halves(uint32_t first, uint32_t second) { return (first & 0xffffu) | second << 16; }
KG_DEVICE uint32_t upper_halves(uint32_t first, uint32_t second) { return first >> 16 | (second & 0xffff0000u); }

/// Elements of type Storage that a lane reads: `words` pairs that follow each other, of a line or of a place of the depth,
/// from (line, k) on. `is_whole`: all exist and can be read at once. What lies behind the depth is 0; of what lies behind
/// the lines, any element: its sums are not stored.
template <class Storage>
struct FewRowReader {
    int64_t depth;

    template <bool is_whole, int cache, int words, class Operand>
    KG_DEVICE void read(const Operand& operand, int64_t line, int64_t end, int64_t k, uint32_t (&to)[words]) const {
        constexpr bool along_depth = Operand::along_depth;
        if constexpr (is_whole) {
            if (!along_depth && line >= end) line = end - 2 * words;
            read_words<cache, words>(operand.load.address(line < end ? line : end - 1, k), to);
        } else {
            KG_UNROLL
            for (int word = 0; word < words; ++word) {
                const auto code = [&](int element) -> uint32_t {
                    const int64_t own = line + (along_depth ? 0 : element), d = k + (along_depth ? element : 0);
                    if (d >= depth) return 0;
                    return to_storage<Storage>(operand.load(own < end ? own : end - 1, d)).code;
                };
                to[word] = code(2 * word) | code(2 * word + 1) << 16;
            }
        }
    }
};

/// The right operand's lines lie along the depth: a lane has 8 elements of lines lane / 4 of each group of 8.
template <class Storage, int block_m, int block_n, bool along_depth>
struct FewRowForm {
    static constexpr bool is_bfloat = is_same<Storage, kg_bf16>;
    static constexpr int row_groups = block_m / 8, line_groups = block_n / 16;
    static constexpr int part = 32;  // of the depth: 8 elements for each lane of four
    static_assert(block_m % 8 == 0 && block_n % 16 == 0);

    struct Loaded {
        uint32_t rows[row_groups][4], lines[2 * line_groups][4];
    };
    using Sums = float[line_groups][row_groups][4];

    template <bool is_whole, class Left, class Right>
    static KG_DEVICE void load(const FewRowReader<Storage>& reader, const ProductTile& tile, const Left& left, int64_t m,
                               const Right& right, int64_t n, int64_t k, Loaded& to) {
        const int lane = thread_index() % 32;
        k += lane % 4 * 8;
        KG_UNROLL
        for (int i = 0; i < 2 * line_groups; ++i)
            reader.template read<is_whole, cache_reading_ahead>(right, tile.column + 8 * i + lane / 4, n, k, to.lines[i]);
        KG_UNROLL
        for (int i = 0; i < row_groups; ++i)
            reader.template read<is_whole, cache_default>(left, tile.row + 8 * i + lane / 4, m, k, to.rows[i]);
    }
    static KG_DEVICE void multiply(const Loaded& loaded, Sums& sums) {
        KG_UNROLL
        for (int half = 0; half < 4; half += 2) {
            KG_UNROLL
            for (int l = 0; l < line_groups; ++l) {
                const auto& low = loaded.lines[2 * l];
                const auto& high = loaded.lines[2 * l + 1];
                const uint32_t lines[4] = {low[half], high[half], low[half + 1], high[half + 1]};
                KG_UNROLL
                for (int r = 0; r < row_groups; ++r)
                    mma<is_bfloat>(sums[l][r], lines, loaded.rows[r][half], loaded.rows[r][half + 1]);
            }
        }
    }
    /// The line of a lane's sum `i` of group `l`, from the tile's first one on.
    static KG_DEVICE int line_of(int l, int i) { return 16 * l + thread_index() % 32 / 4 + i / 2 * 8; }
};

/// For one k, the right operand's lines follow each other: a lane has lines lane / 4 · 8 to 7 more of each group of 64, at
/// four places of the depth, and takes the pairs along the depth apart.
template <class Storage, int block_m, int block_n>
struct FewRowForm<Storage, block_m, block_n, false> {
    static constexpr bool is_bfloat = is_same<Storage, kg_bf16>;
    static constexpr int row_groups = block_m / 8, wide_groups = block_n / 64, line_groups = 4 * wide_groups;
    static constexpr int part = 16;  // of the depth: 4 places for each lane of four
    static_assert(block_m % 8 == 0 && block_n % 64 == 0);

    struct Loaded {
        uint32_t rows[row_groups][2], lines[wide_groups][4][4];
    };
    using Sums = float[line_groups][row_groups][4];

    template <bool is_whole, class Left, class Right>
    static KG_DEVICE void load(const FewRowReader<Storage>& reader, const ProductTile& tile, const Left& left, int64_t m,
                               const Right& right, int64_t n, int64_t k, Loaded& to) {
        const int lane = thread_index() % 32;
        k += lane % 4 * 4;
        KG_UNROLL
        for (int i = 0; i < wide_groups; ++i) {
            KG_UNROLL
            for (int d = 0; d < 4; ++d)
                reader.template read<is_whole, cache_reading_ahead>(right, tile.column + 64 * i + lane / 4 * 8, n, k + d,
                                                                to.lines[i][d]);
        }
        KG_UNROLL
        for (int i = 0; i < row_groups; ++i)
            reader.template read<is_whole, cache_default>(left, tile.row + 8 * i + lane / 4, m, k, to.rows[i]);
    }
    static KG_DEVICE void multiply(const Loaded& loaded, Sums& sums) {
        KG_UNROLL
        for (int l = 0; l < line_groups; ++l) {
            const auto& at = loaded.lines[l / 4];
            const int pair = l % 4;
            const uint32_t lines[4] = {lower_halves(at[0][pair], at[1][pair]), upper_halves(at[0][pair], at[1][pair]),
                                       lower_halves(at[2][pair], at[3][pair]), upper_halves(at[2][pair], at[3][pair])};
            KG_UNROLL
            for (int r = 0; r < row_groups; ++r)
                mma<is_bfloat>(sums[l][r], lines, loaded.rows[r][0], loaded.rows[r][1]);
        }
    }
    static KG_DEVICE int line_of(int l, int i) { return l / 4 * 64 + thread_index() % 32 / 4 * 8 + l % 4 * 2 + i / 2; }
};

}  // namespace kg

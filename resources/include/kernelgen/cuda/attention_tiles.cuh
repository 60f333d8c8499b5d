// SPDX-License-Identifier: Apache-2.0
// Which rows of which head a block of attention computes, in which order, and which columns those rows see.
#pragma once

namespace kg {

/// Columns [first, last) that a row sees by its place; they may reach beyond the tensor.
struct SeenColumns {
    int64_t first, last;
};

/// The tiles of this block, one after the other, of all tiles of `block_m` rows of all heads. They are dealt in rounds: in
/// each every block gets one, in the order of the heads, so that tiles that are computed at a time belong to few heads.
///
/// Where later rows see more (`sees_more_later`), tiles have different work. Then the first heads' tiles are dealt in
/// pairs: the last tile of a head with its first, the one before the last with the second. All pairs have about the same
/// work. What remains, enough heads for two rounds, is dealt as single tiles, those with most work first, so that blocks
/// end at about the same time.
template <int block_m, bool sees_more_later>
class AttentionTiles {
public:
    /// `group`: heads that share keys.
    KG_DEVICE AttentionTiles(int64_t heads, int64_t rows, int group)
        : group_(group),
          row_tiles_(static_cast<unsigned>((rows + block_m - 1) / block_m)),
          heads_(static_cast<unsigned>(heads)),
          number_(block_index()) {
        if constexpr (sees_more_later) {
            // Tiles for two rounds.
            const unsigned enough = (2 * block_count() + row_tiles_ - 1) / row_tiles_;
            paired_heads_ = heads_ < enough ? 0 : heads_ - enough;
            pairs_ = paired_heads_ * pairs_of_head();
        }
    }

    KG_DEVICE bool any() const { return number_ < pairs_ + (heads_ - paired_heads_) * row_tiles_; }
    KG_DEVICE void next() {
        if (has_second()) {
            is_second_ = true;
            return;
        }
        is_second_ = false;
        ++round_;
        // Every second round of single tiles is dealt in the opposite order.
        const unsigned blocks = block_count(), first = pairs_ / blocks;
        const bool is_opposite = round_ > first && (round_ - first) % 2 == 1;
        number_ = round_ * blocks + (is_opposite ? blocks - 1 - block_index() : block_index());
    }
    KG_DEVICE int head() const {
        if (number_ < pairs_) return static_cast<int>(number_ / pairs_of_head());
        const unsigned single = number_ - pairs_, heads = heads_ - paired_heads_;
        return static_cast<int>(paired_heads_ + (sees_more_later ? single % heads : single / row_tiles_));
    }
    KG_DEVICE int64_t row() const { return int64_t{row_tile()} * block_m; }
    KG_DEVICE int heads() const { return static_cast<int>(heads_); }
    KG_DEVICE int group() const { return group_; }

private:
    KG_DEVICE unsigned pairs_of_head() const { return (row_tiles_ + 1) / 2; }
    KG_DEVICE bool has_second() const {  // a middle tile has none
        return number_ < pairs_ && !is_second_ && 2 * (number_ % pairs_of_head()) + 1 != row_tiles_;
    }
    KG_DEVICE unsigned row_tile() const {
        if (number_ < pairs_) {
            const unsigned pair = number_ % pairs_of_head();
            return is_second_ ? pair : row_tiles_ - 1 - pair;
        }
        const unsigned single = number_ - pairs_;
        return sees_more_later ? row_tiles_ - 1 - single / (heads_ - paired_heads_) : single % row_tiles_;
    }

    int group_;
    unsigned row_tiles_, heads_, paired_heads_ = 0;
    unsigned pairs_ = 0;  ///< of tiles, which are dealt first
    unsigned number_, round_ = 0;
    bool is_second_ = false;
};

/// Blocks [first, end) of `block_n` columns that some of a tile's rows see.
struct SeenBlocks {
    int first, end;
    KG_DEVICE bool any() const { return first < end; }
};
/// `seen(i)` gives the columns that row i sees; for a later row they neither begin nor end earlier.
template <int block_n, class Seen>
KG_DEVICE SeenBlocks seen_blocks(int64_t first_row, int64_t last_row, int64_t columns, const Seen& seen) {
    int64_t first = seen(first_row).first, end = seen(last_row).last;
    first = first < 0 ? 0 : first;
    end = end < columns ? end : columns;
    if (first >= end) return {0, 0};
    return {static_cast<int>(first / block_n), static_cast<int>((end + block_n - 1) / block_n)};
}

}  // namespace kg

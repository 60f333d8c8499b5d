// SPDX-License-Identifier: Apache-2.0
// Which columns of which heads a block computes where all blocks share all columns evenly.
#pragma once

namespace kg {

/// Blocks of `block_n` columns, all that some row sees of the first head of keys, then of the second, …: each block of the
/// grid has a part of this list, all parts of one size. It walks over the heads of its part. A head of which no column is
/// seen counts as one block, so that somebody stores its results. make(head) gives the AttentionHead of a head;
/// `is_uniform`: all heads see the same columns.
template <int block_n, bool is_uniform, class Make>
class DecodeWork {
    const Make& make_;
    int group_, heads_;             ///< heads that share keys, and heads of keys
    int64_t part_, begin_, end_;    ///< blocks of columns of this block of the grid
    int64_t head_begin_ = 0;        ///< of the head at which it is
    int head_ = 0;
    SeenBlocks seen_;

    KG_DEVICE SeenBlocks seen(int head) const {
        const auto of = make_(head * group_);
        return seen_blocks<block_n>(0, of.rows - 1, of.columns, of.seen);
    }
    static KG_DEVICE int count(const SeenBlocks& blocks) { return blocks.any() ? blocks.end - blocks.first : 1; }
    KG_DEVICE int own_count() const { return count(seen_); }

    /// Of 32 heads from `first` on, by all threads of a warp.
    KG_DEVICE int count_of_heads(int first) const {
        const int head = first + thread_index() % 32;
        return over_lanes<Sum>(head < heads_ ? count(seen(head)) : 0, 32);
    }
    KG_DEVICE void share(int64_t total) {
        part_ = (total + block_count() - 1) / block_count();
        begin_ = part_ * block_index();
        end_ = begin_ + part_ < total ? begin_ + part_ : total;
    }
    KG_DEVICE void find_begin() {
        for (int count; head_ < heads_ && head_begin_ + (count = count_of_heads(head_)) <= begin_; head_ += 32)
            head_begin_ += count;
        if (head_ < heads_) seen_ = seen(head_);
        while (any() && head_begin_ + own_count() <= begin_) next();
    }

public:
    /// By all threads of a warp.
    KG_DEVICE DecodeWork(const Make& make, int group, int heads) : make_(make), group_(group), heads_(heads) {
        if constexpr (is_uniform) {
            seen_ = seen(0);
            share(int64_t{own_count()} * heads);
            head_ = static_cast<int>(begin_ / own_count());
            head_begin_ = int64_t{head_} * own_count();
        } else {
            int64_t total = 0;
            for (int head = 0; head < heads; head += 32) total += count_of_heads(head);
            share(total);
            find_begin();
        }
    }

    KG_DEVICE bool any() const { return head_ < heads_ && head_begin_ < end_; }
    KG_DEVICE void next() {
        head_begin_ += own_count();
        ++head_;
        if constexpr (!is_uniform) {
            if (head_ < heads_) seen_ = seen(head_);
        }
    }
    /// The first of the heads that share the keys.
    KG_DEVICE int head() const { return head_ * group_; }

    /// Blocks of columns of the head that are this block's.
    KG_DEVICE int first() const { return seen_.first + static_cast<int>(begin_ > head_begin_ ? begin_ - head_begin_ : 0); }
    KG_DEVICE int end() const {
        const int64_t own = end_ - head_begin_;
        return own < seen_.end - seen_.first ? seen_.first + static_cast<int>(own) : seen_.end;
    }

    /// The blocks of the grid that have columns of the head follow each other.
    KG_DEVICE int first_sharer() const { return static_cast<int>(head_begin_ / part_); }
    KG_DEVICE int sharers() const {
        return static_cast<int>((head_begin_ + own_count() - 1) / part_) - first_sharer() + 1;
    }
};

}  // namespace kg

// SPDX-License-Identifier: Apache-2.0
// Keys and values of attention for few queries on their way to shared memory. Teams of warps copy and read for
// themselves: none waits for another team.
#pragma once

namespace kg {

/// `stages` blocks of keys and of values of `block_n` columns, for a team of `team_warps` warps. Of each row there are
/// panels of 64 elements, 128 bytes (SwizzledMatrix). One thread begins copies of boxes where there are tensor maps;
/// otherwise all threads of the team copy pieces of 16 bytes, or single elements.
template <int block_n, int head, int team_warps, int stages>
class DecodeStages {
    static constexpr int threads = 32 * team_warps;
    static_assert(block_n % 16 == 0);

public:
    static constexpr int panels = (head + 63) / 64, operand_bytes = block_n * panels * 128;
    static constexpr int bytes = 2 * stages * operand_bytes;
    using Barriers = CopiedStages<stages, team_warps, 1>;

private:
    unsigned char* data_;
    Barriers* barriers_;
    int team_;
    bool by_boxes_;
    StageInTurn<stages> written_, read_;

    KG_DEVICE int thread() const { return thread_index() % threads; }
    KG_DEVICE void team_barrier() const {
        if constexpr (team_warps == 1) warp_barrier();
        else wait_at_barrier<threads>(1 + team_);
    }

    template <class Rows>
    static KG_DEVICE void copy_boxes(unsigned char* to, CopyBarrier& written, const Rows& from, int column) {
        const int lines = from.lines_of_box(block_n);
        for (int line = 0; line < block_n; line += lines) {
            const HeadBox place = from.box(column + line);
            KG_UNROLL
            for (int panel = 0; panel < panels; ++panel)
                copy_box<3, 1>(to + (panel * block_n + line) * 128, *from.map, written, 64 * panel, place.row,
                               place.matrix);
        }
    }
    /// Rows from `end` on are zeros.
    template <class Rows>
    KG_DEVICE void copy_pieces(unsigned char* to, const Rows& from, int column, int64_t end) const {
        const bool has_pieces = from.size % 8 == 0 && reinterpret_cast<uint64_t>(from.data) % 16 == 0;
        for (int i = thread(); i < block_n * panels * 8; i += threads) {
            const int line = i / (panels * 8), piece = i % (panels * 8), d = 8 * piece;
            unsigned char* const place = to + piece / 8 * (block_n * 128) + swizzled(line * 128 + piece % 8 * 16);
            const bool exists = column + line < end && d < from.size;
            const auto* const row = exists ? from.address(column + line) + d : from.data;
            if (has_pieces) {
                copy_or_clear_in_shared(place, row, exists);
                continue;
            }
            for (int each = 0; each < 8; ++each)
                reinterpret_cast<uint16_t*>(place)[each] =
                    exists && d + each < from.size ? bits_as<uint16_t>(row[each]) : uint16_t{0};
        }
    }

public:
    /// `data`: at a multiple of 1,024 bytes. By all threads of a block; a barrier of the block must follow.
    KG_DEVICE DecodeStages(unsigned char* data, Barriers* barriers, bool by_boxes)
        : team_(thread_index() / threads), by_boxes_(by_boxes) {
        data_ = data + team_ * bytes;
        barriers_ = barriers + team_;
        if (by_boxes_ && thread() == 0) barriers_->make();
    }

    /// Begins to copy the columns from `column` on, if they `exist`, to the next stage, which all of the team have read.
    template <class Head>
    KG_DEVICE void fill(const Head& of, int column, bool exist) {
        unsigned char* const to = data_ + written_.number * (2 * operand_bytes);
        if (!by_boxes_) {
            if (exist) {
                copy_pieces(to, of.keys, column, of.columns);
                copy_pieces(to + operand_bytes, of.values, column, of.columns);
            }
            end_of_group_of_copies();
        } else if (exist && thread() == 0) {
            barriers_->wait_until_read(written_);
            CopyBarrier& written = barriers_->written[written_.number];
            arrive_and_expect(written, 2 * operand_bytes);
            copy_boxes(to, written, of.keys, column);
            copy_boxes(to + operand_bytes, written, of.values, column);
        }
        written_.advance();
    }
    /// Waits for the stage that is read next. All stages were filled.
    KG_DEVICE void wait() const {
        if (by_boxes_) return barriers_->wait_until_written(read_);
        wait_for_copies<stages - 1>();
        team_barrier();
    }
    KG_DEVICE const unsigned char* keys() const { return data_ + read_.number * (2 * operand_bytes); }
    KG_DEVICE const unsigned char* values() const { return keys() + operand_bytes; }
    /// By all threads of a warp: it has read the stage, which may be filled again.
    KG_DEVICE void release() {
        if (by_boxes_) barriers_->release(read_);
        else team_barrier();
        read_.advance();
    }
    /// By all threads: nothing is on its way any more.
    KG_DEVICE void end() const { wait_for_copies<0>(); }
};

}  // namespace kg

// SPDX-License-Identifier: Apache-2.0
// softmax(q·kᵀ)·v for few queries over many columns, where reading keys and values is all that counts. All rows of the
// heads that share keys are one tile, so that keys and values are read once; blocks share all columns evenly
// (decode_work.cuh), and in a block teams of warps do. Each has a softmax of its own, and at last they are brought together
// (Flash-Decoding, Dao et al. 2023). docs/ATTENTION.md explains it.
#pragma once

namespace kg {

/// Tiles of `block_m` rows, 16 for each warp of a team, of heads of at most `head` elements, `block_n` columns of a team at
/// a time, by `warps` warps. `is_uniform`: all heads see the same columns.
template <class Element, int block_m, int block_n, int head, int warps, int stages, bool is_uniform>
class DecodeAttention {
    static constexpr int team_warps = block_m / 16, teams = warps / team_warps, threads = 32 * warps;
    static_assert(block_m % 16 == 0 && teams * team_warps == warps && head % 16 == 0);
    static constexpr bool is_bfloat = is_same<Element, kg_bf16>;
    using Softmax = OnlineSoftmax<block_n>;
    using Stages = DecodeStages<block_n, head, team_warps, stages>;

    /// The largest score of a row among some columns, and the total of its weights.
    struct Share {
        float largest, total;
    };
    /// Behind the stages. Then the sums of the rows that exist, of each team.
    struct Shared {
        Share shares[teams][block_m];
        typename Stages::Barriers barriers[teams];
        bool is_last;
    };
    static constexpr int floats_of_part = block_m * (head + 2);

    static KG_DEVICE int team() { return thread_index() / (32 * team_warps); }
    static KG_DEVICE int row_of_lane() { return thread_index() / 32 % team_warps * 16 + thread_index() % 32 / 4; }
    static KG_DEVICE unsigned char* stage_memory() {
        unsigned char* const shared = launched_shared_memory();
        return shared + (1024 - reinterpret_cast<uint64_t>(shared) % 1024) % 1024;
    }
    static KG_DEVICE Shared& shared_memory() { return *reinterpret_cast<Shared*>(stage_memory() + teams * Stages::bytes); }

    static KG_DEVICE float* sums_of(int team, int rows) {
        return reinterpret_cast<float*>(&shared_memory() + 1) + team * rows * head;
    }

    /// The rows of this warp as the left operand of mma. Rows and elements that do not exist are zeros.
    using Queries = uint32_t[head / 16][4];
    template <class Rows>
    static KG_DEVICE void load_queries(const Rows& from, int rows, Queries& queries) {
        const auto element = [&](int row, int d) -> uint32_t {
            return row < rows && d < from.size ? bits_as<uint16_t>(from.address(row)[d]) : 0;
        };
        KG_UNROLL
        for (int d = 0; d < head / 16; ++d) {
            KG_UNROLL
            for (int i = 0; i < 4; ++i) {
                const int row = row_of_lane() + i % 2 * 8, first = d * 16 + i / 2 * 8 + thread_index() % 4 * 2;
                queries[d][i] = element(row, first) | element(row, first + 1) << 16;
            }
        }
    }

    /// Where the row of this lane among four 8×8 matrices begins, in a panel's `line`, at `piece` of 16 bytes.
    static KG_DEVICE const unsigned char* place_of_lane(const unsigned char* operand, int line, int piece) {
        return operand + piece / 8 * (block_n * 128) + swizzled(line * 128 + piece % 8 * 16);
    }
    template <class Sums>
    static KG_DEVICE float (&piece_of(Sums& sums, int number))[4] {
        return reinterpret_cast<float(&)[4]>(sums[4 * number]);
    }
    static KG_DEVICE void add_scores(const Queries& queries, const unsigned char* keys, float (&scores)[block_n / 2]) {
        const int lane = thread_index() % 32;
        KG_UNROLL
        for (int d = 0; d < head / 16; ++d) {
            KG_UNROLL
            for (int column = 0; column < block_n; column += 16) {
                uint32_t right[4];
                ldmatrix<false>(right, place_of_lane(keys, column + lane / 16 * 8 + lane % 8, 2 * d + lane / 8 % 2));
                mma<is_bfloat>(piece_of(scores, column / 8), queries[d], right[0], right[1]);
                mma<is_bfloat>(piece_of(scores, column / 8 + 1), queries[d], right[2], right[3]);
            }
        }
    }
    static KG_DEVICE void add_values(const uint32_t (&weights)[block_n / 4], const unsigned char* values,
                                     float (&sums)[head / 2]) {
        const int lane = thread_index() % 32;
        KG_UNROLL
        for (int column = 0; column < block_n; column += 16) {
            const auto& left = reinterpret_cast<const uint32_t(&)[4]>(weights[column / 4]);
            KG_UNROLL
            for (int d = 0; d < head / 16; ++d) {
                uint32_t right[4];
                ldmatrix<true>(right, place_of_lane(values, column + lane % 16, 2 * d + lane / 16));
                mma<is_bfloat>(piece_of(sums, 2 * d), left, right[0], right[1]);
                mma<is_bfloat>(piece_of(sums, 2 * d + 1), left, right[2], right[3]);
            }
        }
    }

    /// What the two rows of this lane see, and what all rows of the tile do.
    struct Seen {
        SeenColumns rows[2], all;
        KG_DEVICE SeenColumns operator()(int64_t row) const { return row == 0 ? rows[0] : rows[1]; }
    };
    template <class Head>
    static KG_DEVICE Seen seen_by_lane(const Head& of) {
        const int row = row_of_lane(), rows = static_cast<int>(of.rows);
        const int64_t first = of.seen(rows - 1).first, last = of.seen(0).last;
        return {{of.seen(row % rows), of.seen((row + 8) % rows)}, {first, last < of.columns ? last : of.columns}};
    }

    template <class Head>
    static KG_DEVICE void add_block(const Head& of, const Seen& seen, const Queries& queries, const Stages& from,
                                    int64_t column, Softmax& softmax, float (&sums)[head / 2]) {
        float scores[block_n / 2] = {}, kept[2];
        uint32_t weights[block_n / 4];
        add_scores(queries, from.keys(), scores);
        if constexpr (decltype(of.logit)::is_prepared) {
            KG_UNROLL
            for (int i = 0; i < block_n / 2; ++i) scores[i] = of.logit.prepared(scores[i]);
        }
        if (column < seen.all.first || column + block_n > seen.all.last)
            Softmax::mask(scores, 0, column, of.columns, seen);
        softmax.weigh(scores, kept);
        Softmax::template pack<Element>(scores, weights);
        KG_UNROLL
        for (int i = 0; i < head / 2; ++i) sums[i] *= kept[i / 2 % 2];
        add_values(weights, from.values(), sums);
    }

    /// Puts what this warp has of its rows into shared memory.
    static KG_DEVICE void put(const Softmax& softmax, const float (&sums)[head / 2], int rows) {
        Shared& shared = shared_memory();
        KG_UNROLL
        for (int half = 0; half < 2; ++half) {
            const int row = row_of_lane() + 8 * half;
            const float total = softmax.total(half);
            if (row >= rows) continue;
            float* const to = sums_of(team(), rows) + row * head + thread_index() % 4 * 2;
            KG_UNROLL
            for (int i = 0; i < head / 8; ++i) {
                to[8 * i] = sums[4 * i + 2 * half];
                to[8 * i + 1] = sums[4 * i + 2 * half + 1];
            }
            if (thread_index() % 4 == 0) shared.shares[team()][row] = {softmax.largest(half), total};
        }
    }

    // Parts of rows have a `count`, share(i, row) of part i, and sum(i, row, d).

    struct Teams {
        static constexpr int count = teams;
        int rows;

        KG_DEVICE Share share(int i, int row) const { return shared_memory().shares[i][row]; }
        KG_DEVICE float sum(int i, int row, int d) const { return sums_of(i, rows)[row * head + d]; }
    };
    /// In the workspace each block has two: of a head that blocks before it began, and of one that it begins.
    struct Blocks {
        const float* parts;
        int first, count;

        KG_DEVICE const float* part(int i) const {
            return parts + (2 * (first + i) + (i == 0 ? 1 : 0)) * int64_t{floats_of_part};
        }
        KG_DEVICE Share share(int i, int row) const {
            const float* const place = part(i) + block_m * head + 2 * row;
            return {read_shared_by_blocks(place), read_shared_by_blocks(place + 1)};
        }
        KG_DEVICE float sum(int i, int row, int d) const { return read_shared_by_blocks(part(i) + row * head + d); }
    };
    template <class Parts>
    static KG_DEVICE float largest_of(const Parts& parts, int row) {
        float largest = -infinity<float>;
        for (int i = 0; i < parts.count; ++i) largest = fmaxf(largest, parts.share(i, row).largest);
        return largest;
    }
    /// The share of all parts, and the sum of an element, by weights that are relative to the largest score of all.
    struct Combined {
        Share share;
        float sum;
    };
    template <class Parts>
    static KG_DEVICE Combined combined(const Softmax& softmax, const Parts& parts, int row, int d) {
        const float largest = largest_of(parts, row);
        float sum = 0, total = 0;
        for (int i = 0; i < parts.count; ++i) {
            const Share share = parts.share(i, row);
            const float kept = softmax.kept(share.largest, largest);
            sum += kept * parts.sum(i, row, d);
            total += kept * share.total;
        }
        return {{largest, total}, sum};
    }
    /// Calls visit(row, d, Combined) for all elements of the rows.
    template <class Parts, class Visit>
    static KG_DEVICE void combine(const Softmax& softmax, const Parts& parts, int rows, const Visit& visit) {
        for (int i = thread_index(); i < rows * head; i += threads)
            visit(i / head, i % head, combined(softmax, parts, i / head, i % head));
    }
    template <class Parts, class Head>
    static KG_DEVICE void store(const Softmax& softmax, const Parts& parts, const Head& of, int rows) {
        combine(softmax, parts, rows, [&](int row, int d, const Combined& all) {
            if (d < of.queries.size) of.output(row, d, all.share.total == 0 ? 0.0f : all.sum / all.share.total);
            if (d == 0) of.lse(row, softmax.log_sum(all.share.largest, all.share.total));
        });
    }

    /// Counts of blocks that have written their part of a head, each by the number of the head's first block. The last
    /// one clears it for the next launch.
    static KG_DEVICE unsigned* arrivals() {
        static __device__ unsigned counts[most_blocks];
        return counts;
    }
    /// Stores a head of which this block has a part only: the last of the blocks that share it brings the parts together.
    template <class Work, class Head>
    static KG_DEVICE void share_head(const Softmax& softmax, const Work& work, const Head& of, int rows, float* parts) {
        Shared& shared = shared_memory();
        const Blocks all{parts, work.first_sharer(), work.sharers()};
        float* const own = const_cast<float*>(all.part(static_cast<int>(block_index()) - all.first));
        combine(softmax, Teams{rows}, rows, [&](int row, int d, const Combined& part) {
            own[row * head + d] = part.sum;
            if (d > 0) return;
            own[block_m * head + 2 * row] = part.share.largest;
            own[block_m * head + 2 * row + 1] = part.share.total;
        });
        block_barrier();
        if (thread_index() == 0) {
            unsigned& count = arrivals()[all.first];
            shared.is_last = count_arrival(&count) + 1 == static_cast<unsigned>(all.count);
            if (shared.is_last) count = 0;
        }
        block_barrier();
        if (shared.is_last) store(softmax, all, of, rows);
    }

    /// Fills stages with the blocks of columns of this block's heads, ahead of those that are read.
    template <class Work, class Make>
    struct Filler {
        Work work;
        const Make& make;
        int block;

        KG_DEVICE void fill(Stages& stages_of_team) {
            while (work.any() && block >= work.end()) {
                work.next();
                block = work.first() + team();
            }
            const bool exists = work.any();
            stages_of_team.fill(make(exists ? work.head() : 0), block * block_n, exists);
            block += teams;
        }
    };

    template <class Work, class Make>
    static KG_DEVICE void attend(Work work, int group, const Make& make, float* parts) {
        const auto any = make(0);
        const bool by_boxes = has_bulk_copies && is_given(*any.keys.map) && is_given(*any.values.map);
        const int rows = static_cast<int>(any.rows) * group;
        Stages copied(stage_memory(), shared_memory().barriers, by_boxes);
        block_barrier();
        Filler<Work, Make> ahead{work, make, work.first() + team()};
        for (int stage = 0; stage < stages; ++stage) ahead.fill(copied);
        for (; work.any(); work.next()) {
            const auto of = make(work.head());
            Queries queries;
            load_queries(of.queries, rows, queries);
            const Seen seen = seen_by_lane(of);
            Softmax softmax(of.logit.factor());
            float sums[head / 2] = {};
            for (int block = work.first() + team(); block < work.end(); block += teams) {
                copied.wait();
                add_block(of, seen, queries, copied, int64_t{block} * block_n, softmax, sums);
                copied.release();
                ahead.fill(copied);
            }
            put(softmax, sums, rows);
            block_barrier();
            if (work.sharers() == 1) store(softmax, Teams{rows}, of, rows);
            else share_head(softmax, work, of, rows, parts);
            block_barrier();  // the next head is put there
        }
        copied.end();
    }

public:
    static constexpr int most_blocks = 4096;  ///< of the grid

    /// Computes this block's part. make(head) gives the AttentionHead of a head; `parts` has 2 · block_m · (head + 2)
    /// floats for each block of the grid.
    template <class Tiles, class Make>
    static KG_DEVICE void compute(const Tiles& tiles, const Make& make, float* parts) {
        using Work = DecodeWork<block_n, is_uniform, Make>;
        attend(Work(make, tiles.group(), tiles.heads() / tiles.group()), tiles.group(), make, parts);
    }
};

}  // namespace kg

// SPDX-License-Identifier: Apache-2.0
// softmax(q·kᵀ)·v for rows of a head in any arithmetic, a part of the columns at a time: weights are relative to the
// row's largest logit so far, and the sums are scaled when a larger one comes (Milakov & Gimelshein 2018, Dao et al.
// 2022). docs/ATTENTION.md explains it.
#pragma once

#include "kernelgen/cuda/attention_tiles.cuh"
#include "kernelgen/dropout.h"

namespace kg {

/// A block of `block_m` rows, `block_n` columns at a time, of heads of at most `head` elements, by `warps` warps. Sixteen
/// neighbouring threads share rows: each has some of the columns, and of the elements of a head.
/// `is_launched`: the launch gives the shared memory.
template <class T, int block_m, int block_n, int head, int warps, bool is_launched = false>
class PlainAttention {
    static constexpr int threads = 32 * warps;
    static constexpr int along_row = 16, along_column = threads / along_row;
    static constexpr int rows = block_m / along_column, columns = block_n / along_row, elements = head / along_row;
    static constexpr int part = 16;  // of a head, or of the columns, in shared memory at a time
    static_assert(rows * along_column == block_m && columns * along_row == block_n && elements * along_row == head);

    struct Shared {
        T queries[part][block_m + 4], keys[part][block_n + 4];
        T weights[block_n][block_m + 4];
        T values[part][head + 4];
    };

public:
    /// The first row, and where the rows of the head end.
    struct Rows {
        int64_t first, end;
    };

private:
    static KG_DEVICE Shared& shared_memory() {
        if constexpr (is_launched) return *reinterpret_cast<Shared*>(launched_shared_memory());
        else return in_shared_memory<Shared>();
    }
    static KG_DEVICE int lane() { return thread_index() % along_row; }
    static KG_DEVICE int row_of_thread() { return thread_index() / along_row * rows; }

    /// Fills a part of an operand, in which the elements for one k lie together: load(line, k), or 0 beyond the ends.
    template <int distance, class Load>
    static KG_DEVICE void fill(T (&place)[part][distance], int lines, int64_t line_end, int64_t depth_end,
                               const Load& load) {
        for (int i = thread_index(); i < lines * part; i += threads) {
            const int line = i / part, k = i % part;
            place[k][line] = line < line_end && k < depth_end ? load(line, k) : T(0);
        }
    }

    /// The products of the block's rows with columns from `column` on.
    template <class Queries, class Keys>
    static KG_DEVICE void multiply(Shared& shared, Rows of, int64_t column, int64_t end, int64_t size,
                                   const Queries& queries, const Keys& keys, T (&scores)[rows][columns]) {
        for (int64_t d = 0; d < size; d += part) {
            fill(shared.queries, block_m, of.end - of.first, size - d,
                 [&](int line, int k) { return queries(of.first + line, d + k); });
            fill(shared.keys, block_n, end - column, size - d,
                 [&](int line, int k) { return keys(column + line, d + k); });
            barrier_of_threads<threads>();
            KG_UNROLL
            for (int k = 0; k < part; ++k) {
                KG_UNROLL
                for (int r = 0; r < rows; ++r) {
                    const T query = shared.queries[k][row_of_thread() + r];
                    KG_UNROLL
                    for (int c = 0; c < columns; ++c) scores[r][c] += query * shared.keys[k][c * along_row + lane()];
                }
            }
            barrier_of_threads<threads>();
        }
    }

    /// Adds the block's weights by the values of columns from `column` on.
    template <class Values>
    static KG_DEVICE void add_values(Shared& shared, int64_t column, int64_t end, int64_t size, const Values& values,
                                     T (&sums)[rows][elements]) {
        for (int first = 0; first < block_n; first += part) {
            for (int i = thread_index(); i < part * head; i += threads) {
                const int k = i / head, d = i % head;
                shared.values[k][d] = column + first + k < end && d < size ? values(column + first + k, d) : T(0);
            }
            barrier_of_threads<threads>();  // the weights are complete, too
            KG_UNROLL
            for (int k = 0; k < part; ++k) {
                KG_UNROLL
                for (int r = 0; r < rows; ++r) {
                    const T weight = shared.weights[first + k][row_of_thread() + r];
                    KG_UNROLL
                    for (int e = 0; e < elements; ++e) sums[r][e] += weight * shared.values[k][e * along_row + lane()];
                }
            }
            barrier_of_threads<threads>();
        }
    }

public:
    /// Rows from `of.first` on. queries(i, d), keys(j, d) and values(j, d) are elements; seen(i) gives the columns that
    /// row i sees, logit(i, j, product) a logit, `dropout` which weights are kept. Calls output(i, d, value) and
    /// lse(i, value). A row that sees nothing is 0.
    template <class Queries, class Keys, class Values, class Seen, class Logit, class Dropped, class Output, class Lse>
    static KG_DEVICE void attend(Rows of, int64_t column_count, int64_t size, const Queries& queries, const Keys& keys,
                                 const Values& values, const Seen& seen, const Logit& logit, const Dropped& dropout,
                                 const Output& output, const Lse& lse) {
        Shared& shared = shared_memory();
        T sums[rows][elements] = {}, largest[rows], totals[rows];
        for (int r = 0; r < rows; ++r) largest[r] = -infinity<T>, totals[r] = 0;
        int64_t first = column_count, end = 0;
        for (int64_t i = of.first; i < of.end && i < of.first + block_m; ++i) {
            const SeenColumns of_row = seen(i);
            if (of_row.first >= of_row.last) continue;
            first = of_row.first < first ? of_row.first : first;
            end = of_row.last > end ? of_row.last : end;
        }
        first = first < 0 ? 0 : first;
        end = end < column_count ? end : column_count;
        for (int64_t column = first; column < end; column += block_n) {
            T scores[rows][columns] = {};
            multiply(shared, of, column, end, size, queries, keys, scores);
            KG_UNROLL
            for (int r = 0; r < rows; ++r) {
                const int64_t i = of.first + row_of_thread() + r;
                const SeenColumns of_row = seen(i);
                T most = largest[r];
                KG_UNROLL
                for (int c = 0; c < columns; ++c) {
                    const int64_t j = column + c * along_row + lane();
                    const bool is_seen = i < of.end && j < end && j >= of_row.first && j < of_row.last;
                    scores[r][c] = is_seen ? logit(i, j, scores[r][c]) : -infinity<T>;
                    most = maximum(most, scores[r][c]);
                }
                most = over_lanes<Largest>(most, along_row);
                const bool is_nothing_seen = most == -infinity<T>;
                const T kept = is_nothing_seen ? T(1) : exp(largest[r] - most);
                largest[r] = most;
                totals[r] *= kept;
                KG_UNROLL
                for (int c = 0; c < columns; ++c) {
                    const T weight = is_nothing_seen ? T(0) : exp(scores[r][c] - most);
                    totals[r] += weight;
                    shared.weights[c * along_row + lane()][row_of_thread() + r] =
                        dropout.keep(i, column + c * along_row + lane(), weight);
                }
                KG_UNROLL
                for (int e = 0; e < elements; ++e) sums[r][e] *= kept;
            }
            add_values(shared, column, end, size, values, sums);
        }
        KG_UNROLL
        for (int r = 0; r < rows; ++r) {
            const int64_t i = of.first + row_of_thread() + r;
            const T total = over_lanes<Sum>(totals[r], along_row);
            const bool is_nothing_seen = largest[r] == -infinity<T>;
            if (i >= of.end) continue;
            KG_UNROLL
            for (int e = 0; e < elements; ++e) {
                const int64_t d = e * along_row + lane();
                if (d < size) output(i, d, is_nothing_seen ? T(0) : sums[r][e] / total);
            }
            if (lane() == 0) lse(i, is_nothing_seen ? -infinity<T> : largest[r] + log(total));
        }
    }
};

}  // namespace kg

// SPDX-License-Identifier: Apache-2.0
// The gradients of softmax(q·kᵀ)·v in any arithmetic, a tile of scores at a time. Weights are computed again from the
// log-sum-exp of the rows (Dao et al. 2022); kernelgen/attention_backward.h has the formulas, docs/ATTENTION.md explains
// them.
#pragma once

#include "kernelgen/cuda/attention.cuh"

namespace kg {

/// The rows of a head: queries(i, d), gradients(i, d) (of the result) and outputs(i, d) are elements, lse(i) is the
/// log-sum-exp; seen(i) gives the columns that row i sees, logit(i, j, product) a logit, slope(product) its derivative by
/// the scaled product, `dropout` which weights are kept.
template <class Queries, class Gradients, class Outputs, class Lse, class Seen, class Logit, class Slope, class Dropped>
struct GradientRows {
    Queries queries;
    Gradients gradients;
    Outputs outputs;
    Lse lse;
    Seen seen;
    Logit logit;
    Slope slope;
    Dropped dropout;
};
template <class... Parts>
GradientRows(Parts...) -> GradientRows<Parts...>;

/// The sums of the queries' gradients of a head, which several blocks add to: `place` of element 0 of row 0.
template <class T>
struct QuerySums {
    T* place;
};
/// Where another kernel computes them.
struct NoQuerySums {};

/// Lines from `first` on of a block, and where those of the head end.
struct LinesOfBlock {
    int64_t first, end;
};

/// A tile of `block_m` rows and `block_n` columns, of heads of at most `head` elements, by `warps` warps. Sixteen
/// neighbouring threads share lines: each has some of the other lines, and of the elements of a head.
template <class T, int block_m, int block_n, int head, int warps>
class AttentionGradients {
    static constexpr int threads = 32 * warps;
    static constexpr int along_line = 16, beside = threads / along_line;
    static constexpr int rows = block_m / beside, columns = block_n / along_line;
    static constexpr int part = 16;  // of a head, or of lines, in shared memory at a time
    static constexpr int widest = block_m > block_n ? block_m : block_n;
    static_assert(rows * beside == block_m && columns * along_line == block_n && head % along_line == 0);

    struct Shared {
        T left[part][block_m + 4], right[part][block_n + 4];
        T weights[widest * (widest + 4)];
        T lines[part][head + 4];
    };
    /// The products of a thread's rows and columns.
    using Scores = T[rows][columns];

    static KG_DEVICE int lane() { return thread_index() % along_line; }
    static KG_DEVICE int group() { return thread_index() / along_line; }

    /// Fills a part of an operand, in which the elements for one k lie together: load(line, k), or 0 beyond the ends.
    template <int distance, class Load>
    static KG_DEVICE void fill(T (&place)[part][distance], int lines, int64_t line_end, int64_t depth_end,
                               const Load& load) {
        for (int i = thread_index(); i < lines * part; i += threads) {
            const int line = i / part, k = i % part;
            place[k][line] = line < line_end && k < depth_end ? load(line, k) : T(0);
        }
    }

    template <class Left, class Right>
    static KG_DEVICE void multiply(Shared& shared, LinesOfBlock of_rows, LinesOfBlock of_columns, int64_t size,
                                   const Left& left, const Right& right, Scores& products) {
        for (int64_t d = 0; d < size; d += part) {
            fill(shared.left, block_m, of_rows.end - of_rows.first, size - d,
                 [&](int line, int k) { return left(of_rows.first + line, d + k); });
            fill(shared.right, block_n, of_columns.end - of_columns.first, size - d,
                 [&](int line, int k) { return right(of_columns.first + line, d + k); });
            barrier_of_threads<threads>();
            KG_UNROLL
            for (int k = 0; k < part; ++k) {
                KG_UNROLL
                for (int r = 0; r < rows; ++r) {
                    const T element = shared.left[k][group() * rows + r];
                    KG_UNROLL
                    for (int c = 0; c < columns; ++c)
                        products[r][c] += element * shared.right[k][c * along_line + lane()];
                }
            }
            barrier_of_threads<threads>();
        }
    }

    /// The weights of a tile, in place of its scores, and the gradients of its logits, in place of its products with
    /// the values. Hidden ones are 0.
    template <class Rows>
    static KG_DEVICE void weigh(LinesOfBlock of_rows, LinesOfBlock of_columns, int64_t size, const Rows& of,
                                Scores& scores, Scores& products) {
        KG_UNROLL
        for (int r = 0; r < rows; ++r) {
            const int64_t i = of_rows.first + group() * rows + r;
            const bool is_row = i < of_rows.end;
            T delta = 0;
            for (int64_t d = lane(); is_row && d < size; d += along_line) delta += of.outputs(i, d) * of.gradients(i, d);
            delta = over_lanes<Sum>(delta, along_line);
            const T lse = is_row ? of.lse(i) : T(0);
            const SeenColumns seen = of.seen(i);
            KG_UNROLL
            for (int c = 0; c < columns; ++c) {
                const int64_t j = of_columns.first + c * along_line + lane();
                const bool is_seen = is_row && j < of_columns.end && j >= seen.first && j < seen.last;
                const T x = is_seen ? of.logit(i, j, scores[r][c]) : -infinity<T>;
                const bool is_hidden = x == -infinity<T>;
                const T weight = is_hidden ? T(0) : exp(x - lse);
                const T gradient = weight * (of.dropout.keep(i, j, products[r][c]) - delta) * of.slope(scores[r][c]);
                scores[r][c] = is_hidden ? T(0) : of.dropout.keep(i, j, weight);
                products[r][c] = is_hidden ? T(0) : gradient;
            }
        }
    }

    /// Puts a tile where sums of rows, or of columns, read it: the elements of one summed line lie together.
    template <bool of_rows>
    static KG_DEVICE void put(Shared& shared, const Scores& values) {
        barrier_of_threads<threads>();
        KG_UNROLL
        for (int r = 0; r < rows; ++r) {
            KG_UNROLL
            for (int c = 0; c < columns; ++c) {
                const int row = group() * rows + r, column = c * along_line + lane();
                shared.weights[of_rows ? column * (block_m + 4) + row : row * (block_n + 4) + column] = values[r][c];
            }
        }
        barrier_of_threads<threads>();
    }

    /// Adds the `summed` lines from `of.first` on to the sums of `lines` lines, by the weights that were put.
    template <int lines, int summed, class Load, int own, int elements>
    static KG_DEVICE void add(Shared& shared, LinesOfBlock of, int64_t size, const Load& load, T (&sums)[own][elements]) {
        for (int first = 0; first < summed; first += part) {
            for (int i = thread_index(); i < part * head; i += threads) {
                const int k = i / head, d = i % head;
                shared.lines[k][d] = of.first + first + k < of.end && d < size ? load(of.first + first + k, d) : T(0);
            }
            barrier_of_threads<threads>();
            KG_UNROLL
            for (int k = 0; k < part; ++k) {
                KG_UNROLL
                for (int n = 0; n < own; ++n) {
                    const T weight = shared.weights[(first + k) * (lines + 4) + group() * own + n];
                    KG_UNROLL
                    for (int e = 0; e < elements; ++e) sums[n][e] += weight * shared.lines[k][e * along_line + lane()];
                }
            }
            barrier_of_threads<threads>();
        }
    }

    template <class Keys>
    static KG_DEVICE void add_queries(Shared&, LinesOfBlock, LinesOfBlock, int64_t, const Scores&, const Keys&,
                                      NoQuerySums) {}
    /// Adds what a tile has of its rows' sums.
    template <class Keys>
    static KG_DEVICE void add_queries(Shared& shared, LinesOfBlock of_rows, LinesOfBlock of_columns, int64_t size,
                                      const Scores& gradients, const Keys& keys, QuerySums<T> to) {
        T sums[rows][head / along_line] = {};
        put<true>(shared, gradients);
        add<block_m, block_n>(shared, of_columns, size, keys, sums);
        finish(of_rows, size, T(1), sums,
               [&](int64_t i, int64_t d, T value) { add_atomically(to.place + i * size + d, value); });
    }

    template <int own, int elements, class Output>
    static KG_DEVICE void finish(LinesOfBlock of, int64_t size, T factor, const T (&sums)[own][elements],
                                 const Output& output) {
        KG_UNROLL
        for (int n = 0; n < own; ++n) {
            const int64_t line = of.first + group() * own + n;
            KG_UNROLL
            for (int e = 0; e < elements; ++e) {
                const int64_t d = e * along_line + lane();
                if (line < of.end && d < size) output(line, d, sums[n][e] * factor);
            }
        }
    }

public:
    /// The gradients of the queries of a block of rows: calls output(i, d, value).
    template <class Rows, class Keys, class Values, class Output>
    static KG_DEVICE void of_queries(LinesOfBlock of_rows, int64_t column_count, int64_t size, T scale, const Rows& of,
                                     const Keys& keys, const Values& values, const Output& output) {
        Shared& shared = in_shared_memory<Shared>();
        T sums[rows][head / along_line] = {};
        int64_t first = column_count, end = 0;
        for (int64_t i = of_rows.first; i < of_rows.end && i < of_rows.first + block_m; ++i) {
            const SeenColumns seen = of.seen(i);
            if (seen.first >= seen.last) continue;
            first = seen.first < first ? seen.first : first;
            end = seen.last > end ? seen.last : end;
        }
        first = first < 0 ? 0 : first;
        end = end < column_count ? end : column_count;
        for (int64_t column = first; column < end; column += block_n) {
            const LinesOfBlock of_columns{column, end};
            Scores scores = {}, products = {};
            multiply(shared, of_rows, of_columns, size, of.queries, keys, scores);
            multiply(shared, of_rows, of_columns, size, of.gradients, values, products);
            weigh(of_rows, of_columns, size, of, scores, products);
            put<true>(shared, products);
            add<block_m, block_n>(shared, of_columns, size, keys, sums);
        }
        finish(of_rows, size, scale, sums, output);
    }

    /// The gradients of keys and values of a block of columns.
    class OfKeys {
        static constexpr int own = block_n / beside, elements = head / along_line;
        static_assert(own * beside == block_n);
        LinesOfBlock columns_;
        int64_t size_;
        T keys_[own][elements] = {}, values_[own][elements] = {};

        /// Whether a row from `first` on sees a column of the block before `end`.
        template <class Rows>
        KG_DEVICE bool is_any_seen(int64_t first, int64_t count, int64_t end, const Rows& of) const {
            for (int64_t i = first; i < count && i < first + block_m; ++i) {
                const SeenColumns seen = of.seen(i);
                const int64_t low = seen.first > columns_.first ? seen.first : columns_.first;
                const int64_t high = seen.last < end ? seen.last : end;
                if (low < high && low < columns_.first + block_n) return true;
            }
            return false;
        }

    public:
        KG_DEVICE OfKeys(LinesOfBlock columns, int64_t size) : columns_(columns), size_(size) {}

        /// Adds the `count` rows of a head, which see columns before `end`; and to the sums of its queries, if wanted.
        template <class Rows, class Keys, class Values, class Sums = NoQuerySums>
        KG_DEVICE void add(int64_t count, int64_t end, const Rows& of, const Keys& keys, const Values& values,
                           Sums query_sums = {}) {
            Shared& shared = in_shared_memory<Shared>();
            for (int64_t first = 0; first < count; first += block_m) {
                if (!is_any_seen(first, count, end, of)) continue;
                const LinesOfBlock of_rows{first, count},
                    of_columns{columns_.first, end < columns_.end ? end : columns_.end};
                Scores scores = {}, products = {};
                multiply(shared, of_rows, of_columns, size_, of.queries, keys, scores);
                multiply(shared, of_rows, of_columns, size_, of.gradients, values, products);
                weigh(of_rows, of_columns, size_, of, scores, products);
                put<false>(shared, scores);
                AttentionGradients::add<block_n, block_m>(shared, of_rows, size_, of.gradients, values_);
                put<false>(shared, products);
                AttentionGradients::add<block_n, block_m>(shared, of_rows, size_, of.queries, keys_);
                add_queries(shared, of_rows, of_columns, size_, products, keys, query_sums);
            }
        }

        /// Calls keys(j, d, value) and values(j, d, value).
        template <class Keys, class Values>
        KG_DEVICE void finish(T scale, const Keys& keys, const Values& values) const {
            AttentionGradients::finish(columns_, size_, scale, keys_, keys);
            AttentionGradients::finish(columns_, size_, T(1), values_, values);
        }
    };
};

}  // namespace kg

// SPDX-License-Identifier: Apache-2.0
// The gradients of softmax(q·kᵀ)·v, a tile of scores at a time. Weights are computed again from the log-sum-exp of the
// rows; with p = exp(x - lse), delta = Σ out·dout and ds = p · (dout·vᵀ - delta), they are dq = scale · ds·k,
// dk = scale · dsᵀ·q and dv = pᵀ·dout (Dao et al. 2022). docs/ATTENTION.md explains it.
#pragma once

#include "kernelgen/attention.h"

namespace kg {

/// The rows of a head: `queries`, `gradients` (of the result) and `outputs` are operands along the depth, lse(i) the
/// log-sum-exp; seen(i) gives the columns that row i sees, logit(i, j, product) the logits of a vector of columns,
/// slope(product) their derivatives by the scaled product, `dropout` which weights are kept.
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

/// A tile of scores: its weights, and the gradients of its logits.
template <class T, int register_rows, int block_m, int block_n>
class ScoreTile {
public:
    static constexpr int width = register_vectors * lanes<T>;
    static constexpr int distance = block_n + 16;  // no power of two: rows would share the sets of a cache
    static constexpr int lines = (block_m + register_rows - 1) / register_rows * register_rows;

private:
    int64_t size_;
    T *queries_, *output_gradients_, *keys_, *values_, *scores_, *products_, *weights_, *gradients_, *kept_;
    T *lse_, *delta_;

    template <class Operand>
    void pack_lines(Tile rows, const Operand& operand, T* packed) const {
        for (int64_t row = 0; row < cdiv(rows.last - rows.first, register_rows) * register_rows; ++row) {
            T* const to = packed + row / register_rows * register_rows * size_ + row % register_rows;
            if (rows.first + row >= rows.last) {
                for (int64_t d = 0; d < size_; ++d) to[d * register_rows] = T(0);
                continue;
            }
            for_columns<T, 1>(0, size_, [&](auto d) {
                each_column<T>(d, wide<T>(operand.load(rows.first + row, d)), 0,
                               [&](int64_t at, T value) { to[at * register_rows] = value; });
            });
        }
    }

    void multiply(int64_t strips, int64_t count, const T* left, const T* right, T* products) const {
        for (int64_t n = 0; n < cdiv(count, width); ++n) {
            for (int64_t m = 0; m < strips; ++m)
                multiply_strips<false, T, register_rows>(
                    LeftLayout<1, register_rows>{}, left + m * register_rows * size_, right + n * width * size_, size_,
                    true, products + (n * (lines / register_rows) + m) * register_rows * width);
        }
    }

    /// Columns outside [low, high) are 0.
    template <class Rows>
    void weigh_row(const Rows& of, int64_t i, int64_t row, Tile columns, int64_t low, int64_t high) const {
        const int64_t count = columns.last - columns.first;
        for (int64_t n = 0; n < count; ++n) kept_[n] = T(1);
        of.dropout.keep_all(i, columns.first, count, kept_);
        const T lse = lse_[row], delta = delta_[row];
        for_columns<T, 1>(columns.first, columns.last, [&](auto j) {
            const int64_t column = j.first - columns.first;
            const int64_t at = (column / width * lines + row) * width + column % width;
            const vec<T> product = load_vector<vec<T>>(scores_ + at), kept = load_vector<vec<T>>(kept_ + column),
                         hidden = vec<T>{} - infinity<T>;
            vec<T> x = wide<T>(of.logit(i, j, product));
            if (j.first < low || j.first + lanes<T> > high) {
                for (int lane = 0; lane < lanes<T>; ++lane) {
                    if (j.first + lane < low || j.first + lane >= high) x[lane] = -infinity<T>;
                }
            }
            const vec<T> weight = x == hidden ? vec<T>{} : exp(x - lse);
            const vec<T> gradient =
                weight * (load_vector<vec<T>>(products_ + at) * kept - delta) * wide<T>(of.slope(product));
            store_vector(weights_ + row * distance + column, x == hidden ? vec<T>{} : weight * kept);
            store_vector(gradients_ + row * distance + column, x == hidden ? vec<T>{} : gradient);
        });
    }

public:
    explicit ScoreTile(int64_t size) : size_(size) {
        constexpr int64_t packed_columns = (block_n + width - 1) / width * width;
        queries_ = row_buffer<T, 0>(lines * size).data;
        output_gradients_ = row_buffer<T, 1>(lines * size).data;
        keys_ = row_buffer<T, 2>(packed_columns * size).data;
        values_ = row_buffer<T, 3>(packed_columns * size).data;
        scores_ = row_buffer<T, 4>(lines * packed_columns).data;
        products_ = row_buffer<T, 5>(lines * packed_columns).data;
        weights_ = row_buffer<T, 6>(lines * distance).data;
        gradients_ = row_buffer<T, 7>(lines * distance).data;
        kept_ = row_buffer<T, 8>(block_n + lanes<T>).data;
        lse_ = row_buffer<T, 9>(2 * lines).data;
        delta_ = lse_ + lines;
        for (int64_t i = 0; i < lines * distance; ++i) weights_[i] = gradients_[i] = T(0);
    }

    const T* weights() const { return weights_; }
    const T* gradients() const { return gradients_; }

    template <class Rows>
    void take_rows(Tile rows, const Rows& of) const {
        pack_lines(rows, of.queries, queries_);
        pack_lines(rows, of.gradients, output_gradients_);
        for (int64_t row = 0; row < rows.last - rows.first; ++row) {
            vec<T> sum{};
            for_columns<T, 1>(0, size_, [&](auto d) {
                vec<T> product =
                    wide<T>(of.outputs.load(rows.first + row, d)) * wide<T>(of.gradients.load(rows.first + row, d));
                if constexpr (is_partial<decltype(d)>) {
                    for (int lane = d.count; lane < lanes<T>; ++lane) product[lane] = T(0);
                }
                sum += product;
            });
            T delta = T(0);
            for (int lane = 0; lane < lanes<T>; ++lane) delta += sum[lane];
            delta_[row] = delta;
            lse_[row] = of.lse(rows.first + row);
        }
    }

    template <class Keys, class Values>
    void take_columns(Tile columns, const Keys& keys, const Values& values) const {
        pack<T, width>(keys, columns, Depth{0, size_}, keys_);
        pack<T, width>(values, columns, Depth{0, size_}, values_);
    }

    /// The weights of rows and columns that were taken; 0 from column `end` on.
    template <class Rows>
    void weigh(Tile rows, Tile columns, int64_t end, const Rows& of) const {
        const int64_t strips = cdiv(rows.last - rows.first, register_rows);
        multiply(strips, columns.last - columns.first, queries_, keys_, scores_);
        multiply(strips, columns.last - columns.first, output_gradients_, values_, products_);
        for (int64_t row = 0; row < rows.last - rows.first; ++row) {
            const SeenColumns seen = of.seen(rows.first + row);
            weigh_row(of, rows.first + row, row, columns, seen.first, smaller(smaller(seen.last, columns.last), end));
        }
    }
};

/// Sums of lines of heads by weights: `lines` of them, in strips of `register_rows` as `multiply_strips` takes them.
template <class T, int register_rows, int slot>
class GradientSums {
    static constexpr int width = register_vectors * lanes<T>;
    int64_t size_, strips_, size_strips_;
    T *sums_, *packed_;

public:
    GradientSums(int64_t lines, int64_t summed, int64_t size)
        : size_(size), strips_(cdiv(lines, register_rows)), size_strips_(cdiv(size, width)) {
        const int64_t elements = size_strips_ * strips_ * register_rows * width;
        sums_ = row_buffer<T, slot>(elements).data;
        packed_ = row_buffer<T, slot + 1>(size_strips_ * width * summed).data;
        for (int64_t i = 0; i < elements; ++i) sums_[i] = T(0);
    }

    /// Adds by the weights at `left`, of which a strip of lines begins every `strip` elements: load(line, d) gives
    /// elements of the lines `summed`.
    template <class Layout, class Load>
    void add(Layout layout, const T* left, int64_t strip, Tile summed, const Load& load) const {
        const int64_t depth = summed.last - summed.first;
        pack<T, width>(along_lines(load), Tile{0, size_}, Depth{summed.first, depth}, packed_);
        for (int64_t n = 0; n < size_strips_; ++n) {
            for (int64_t m = 0; m < strips_; ++m)
                multiply_strips<false, T, register_rows>(layout, left + m * strip, packed_ + n * width * depth, depth,
                                                         false, sums_ + (n * strips_ + m) * register_rows * width);
        }
    }

    /// Calls output(i, d, value) for the lines of `tile`, with a vector d of a line's elements.
    template <class Output>
    void finish(Tile tile, T factor, const Output& output) const {
        for (int64_t line = 0; line < tile.last - tile.first; ++line) {
            for_columns<T, 1>(0, size_, [&](auto d) {
                const T* const sums =
                    sums_ + (d.first / width * strips_ * register_rows + line) * width + d.first % width;
                output(tile.first + line, d, load_vector<vec<T>>(sums) * factor);
            });
        }
    }
};

/// The gradients of the queries of `rows` of a head over `columns` columns with heads of `size` elements, `block_n`
/// columns at a time: calls output(i, d, value). `keys` and `values` are operands along the depth. `register_rows`:
/// rows of the tile of sums that stays in registers.
template <class T, int register_rows, int block_m, int block_n, class Rows, class Keys, class Values, class Output>
inline void query_gradients(Tile rows, int64_t columns, int64_t size, T scale, const Rows& of, const Keys& keys,
                            const Values& values, const Output& output) {
    using Scores = ScoreTile<T, register_rows, block_m, block_n>;
    const Scores scores(size);
    const GradientSums<T, register_rows, 10> sums(rows.last - rows.first, block_n, size);
    int64_t first = columns, last = 0;
    for (int64_t i = rows.first; i < rows.last; ++i) {
        const SeenColumns seen = of.seen(i);
        if (seen.first >= seen.last) continue;
        first = smaller(first, seen.first);
        last = seen.last > last ? seen.last : last;
    }
    first = first < 0 ? 0 : first;
    last = smaller(last, columns);
    scores.take_rows(rows, of);
    for (; first < last; first += block_n) {
        const Tile tile{first, smaller(first + block_n, last)};
        scores.take_columns(tile, keys, values);
        scores.weigh(rows, tile, last, of);
        sums.add(LeftLayout<Scores::distance, 1>{}, scores.gradients(), register_rows * Scores::distance, tile,
                 keys.load);
    }
    sums.finish(rows, scale, output);
}

/// The gradients of keys and values of a tile of columns, over the rows of all heads that share them, `block_m` rows at
/// a time.
template <class T, int register_rows, int block_m, int block_n>
class KeyGradients {
    using Scores = ScoreTile<T, register_rows, block_m, block_n>;
    Tile columns_;
    Scores scores_;
    GradientSums<T, register_rows, 10> keys_;
    GradientSums<T, register_rows, 12> values_;

public:
    template <class Keys, class Values>
    KeyGradients(Tile columns, int64_t size, const Keys& keys, const Values& values)
        : columns_(columns),
          scores_(size),
          keys_(columns.last - columns.first, block_m, size),
          values_(columns.last - columns.first, block_m, size) {
        scores_.take_columns(columns, keys, values);
    }

    /// Adds the `rows` rows of a head, which see columns before `end`.
    template <class Rows>
    void add(int64_t rows, int64_t end, const Rows& of) const {
        for (int64_t first = 0; first < rows; first += block_m) {
            const Tile tile{first, smaller(first + block_m, rows)};
            bool is_any_seen = false;
            for (int64_t i = tile.first; i < tile.last && !is_any_seen; ++i) {
                const SeenColumns seen = of.seen(i);
                is_any_seen = (seen.first > columns_.first ? seen.first : columns_.first) <
                              smaller(smaller(seen.last, columns_.last), end);
            }
            if (!is_any_seen) continue;
            scores_.take_rows(tile, of);
            scores_.weigh(tile, columns_, end, of);
            keys_.add(LeftLayout<1, Scores::distance>{}, scores_.gradients(), register_rows, tile, of.queries.load);
            values_.add(LeftLayout<1, Scores::distance>{}, scores_.weights(), register_rows, tile, of.gradients.load);
        }
    }

    /// Calls keys(j, d, value) and values(j, d, value) with a vector d of a column's elements.
    template <class Keys, class Values>
    void finish(T scale, const Keys& keys, const Values& values) const {
        keys_.finish(columns_, scale, keys);
        values_.finish(columns_, T(1), values);
    }
};

}  // namespace kg

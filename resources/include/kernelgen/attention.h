// SPDX-License-Identifier: Apache-2.0
// softmax(q·kᵀ)·v for rows of a head, a part of the columns at a time: weights are relative to the row's largest logit
// so far, and what was added before is scaled when a larger one comes (Milakov & Gimelshein 2018, Dao et al. 2022). So
// the scores of a part are all that is held. docs/ATTENTION.md explains it.
#pragma once

#include "kernelgen/contraction.h"
#include "kernelgen/dropout.h"
#include "kernelgen/functions.h"
#include "kernelgen/logarithms.h"

namespace kg {

/// Columns [first, last) that a row sees by its place; they may reach beyond the tensor.
struct SeenColumns {
    int64_t first, last;
};

/// The rows of a program: their sums and weights, in strips of `register_rows` rows as `multiply_strips` takes them.
template <class T, int register_rows, int block>
class AttentionRows {
    static constexpr int width = register_vectors * lanes<T>;
    static constexpr int distance = block + lanes<T>;  // no power of two: rows would share the sets of a cache

    Tile rows_;
    int64_t size_, row_strips_, size_strips_;
    T *queries_, *keys_, *values_, *scores_, *weights_, *sums_, *largest_, *totals_;

    T* sums_of(int64_t row, int64_t strip) const { return sums_ + (strip * row_strips_ * register_rows + row) * width; }

    template <class Queries>
    void pack_queries(const Queries& queries) const {
        for (int64_t row = 0; row < row_strips_ * register_rows; ++row) {
            T* const to = queries_ + row / register_rows * register_rows * size_ + row % register_rows;
            if (rows_.first + row >= rows_.last) {
                for (int64_t d = 0; d < size_; ++d) to[d * register_rows] = T(0);
                continue;
            }
            for_columns<T, 1>(0, size_, [&](auto d) {
                each_column<T>(d, wide<T>(queries.load(rows_.first + row, d)), 0,
                               [&](int64_t at, T value) { to[at * register_rows] = value; });
            });
        }
    }

    /// Turns the scores of a row into weights, which are 0 beyond columns [low, high), and scales its sums.
    template <class Logit, class Dropped>
    void weigh(int64_t row, Tile columns, int64_t low, int64_t high, const Logit& logit, const Dropped& dropout) const {
        T* const weights = weights_ + row * distance;
        const T* const scores = scores_ + row * width;
        vec<T> largest = vec<T>{} - infinity<T>;
        for_columns<T, 1>(columns.first, columns.last, [&](auto j) {
            const int64_t column = j.first - columns.first;
            const T* const strip = scores + column / width * row_strips_ * register_rows * width;
            vec<T> x = wide<T>(logit(rows_.first + row, j, load_vector<vec<T>>(strip + column % width)));
            if (j.first < low || j.first + lanes<T> > high) {
                for (int lane = 0; lane < lanes<T>; ++lane) {
                    if (j.first + lane < low || j.first + lane >= high) x[lane] = -infinity<T>;
                }
            }
            store_vector(weights + column, x);
            largest = x > largest ? x : largest;
        });
        T most = largest_[row];
        for (int lane = 0; lane < lanes<T>; ++lane) most = largest[lane] > most ? largest[lane] : most;
        const bool is_nothing_seen = most == -infinity<T>;  // or only NaN, which no comparison finds
        const T base = is_nothing_seen ? T(0) : most;
        vec<T> total{};
        for_columns<T, 1>(columns.first, columns.last, [&](auto j) {
            T* const place = weights + (j.first - columns.first);
            const vec<T> weight = exp(load_vector<vec<T>>(place) - base);
            store_vector(place, weight);
            total += weight;
        });
        T sum = 0;
        for (int lane = 0; lane < lanes<T>; ++lane) sum += total[lane];
        if (is_nothing_seen && sum == T(0)) return;
        dropout.keep_all(rows_.first + row, columns.first, columns.last - columns.first, weights);
        const T kept = is_nothing_seen ? T(1) : exp(largest_[row] - most);
        largest_[row] = most;
        totals_[row] = totals_[row] * kept + sum;
        if (kept == T(1)) return;
        for (int64_t strip = 0; strip < size_strips_; ++strip) {
            T* const sums = sums_of(row, strip);
            for (int v = 0; v < width; v += lanes<T>) store_vector(sums + v, load_vector<vec<T>>(sums + v) * kept);
        }
    }

public:
    template <class Queries>
    AttentionRows(Tile rows, int64_t size, const Queries& queries)
        : rows_(rows),
          size_(size),
          row_strips_(cdiv(rows.last - rows.first, register_rows)),
          size_strips_(cdiv(size, width)) {
        const int64_t lines = row_strips_ * register_rows;
        queries_ = row_buffer<T, 0>(lines * size).data;
        keys_ = row_buffer<T, 1>(cdiv(block, width) * width * size).data;
        scores_ = row_buffer<T, 2>(lines * cdiv(block, width) * width).data;
        weights_ = row_buffer<T, 3>(lines * distance).data;
        values_ = row_buffer<T, 4>(size_strips_ * width * block).data;
        sums_ = row_buffer<T, 5>(lines * size_strips_ * width).data;
        largest_ = row_buffer<T, 6>(2 * lines).data;
        totals_ = largest_ + lines;
        pack_queries(queries);
        for (int64_t i = 0; i < lines * size_strips_ * width; ++i) sums_[i] = T(0);
        for (int64_t i = 0; i < lines * distance; ++i) weights_[i] = T(0);
        for (int64_t i = 0; i < lines; ++i) largest_[i] = -infinity<T>, totals_[i] = T(0);
    }

    /// Adds `columns`, at most `block` of them.
    template <class Keys, class Values, class Seen, class Logit, class Dropped>
    void add(Tile columns, const Keys& keys, const Values& values, const Seen& seen, const Logit& logit,
             const Dropped& dropout) const {
        const int64_t count = columns.last - columns.first;
        pack<T, width>(keys, columns, Depth{0, size_}, keys_);
        pack<T, width>(values, Tile{0, size_}, Depth{columns.first, count}, values_);
        for (int64_t n = 0; n < cdiv(count, width); ++n) {
            for (int64_t m = 0; m < row_strips_; ++m)
                multiply_strips<false, T, register_rows>(
                    LeftLayout<1, register_rows>{}, queries_ + m * register_rows * size_, keys_ + n * width * size_,
                    size_, true, scores_ + (n * row_strips_ + m) * register_rows * width);
        }
        for (int64_t row = 0; row < rows_.last - rows_.first; ++row) {
            const SeenColumns of_row = seen(rows_.first + row);
            weigh(row, columns, of_row.first, smaller(of_row.last, columns.last), logit, dropout);
        }
        for (int64_t n = 0; n < size_strips_; ++n) {
            for (int64_t m = 0; m < row_strips_; ++m)
                multiply_strips<false, T, register_rows>(
                    LeftLayout<distance, 1>{}, weights_ + m * register_rows * distance, values_ + n * width * count,
                    count, false, sums_of(m * register_rows, n));
        }
    }

    /// Calls output(i, d, value) with a vector d of a row's elements, and lse(i, value). A row that saw nothing is 0.
    template <class Output, class Lse>
    void finish(const Output& output, const Lse& lse) const {
        for (int64_t row = 0; row < rows_.last - rows_.first; ++row) {
            const bool is_nothing_seen = totals_[row] == T(0);
            const T total = is_nothing_seen ? T(1) : totals_[row];
            for_columns<T, 1>(0, size_, [&](auto d) {
                const T* const sums = sums_of(row, d.first / width) + d.first % width;
                output(rows_.first + row, d, load_vector<vec<T>>(sums) / total);
            });
            lse(rows_.first + row, is_nothing_seen ? -infinity<T> : largest_[row] + log(total));
        }
    }
};

/// Attention of `rows` of a head over `columns` columns with heads of `size` elements, `block` columns at a time.
/// `queries` and `keys` are operands along the depth, `values` along its lines. seen(i) gives the columns that row i
/// sees, logit(i, j, product) the logits of a vector of columns, `dropout` which weights are kept. `register_rows`:
/// rows of the tile of sums that stays in registers.
template <class T, int register_rows, int block, class Queries, class Keys, class Values, class Seen, class Logit,
          class Dropped, class Output, class Lse>
inline void attend(Tile rows, int64_t columns, int64_t size, const Queries& queries, const Keys& keys,
                   const Values& values, const Seen& seen, const Logit& logit, const Dropped& dropout,
                   const Output& output, const Lse& lse) {
    const AttentionRows<T, register_rows, block> all(rows, size, queries);
    int64_t first = columns, last = 0;
    for (int64_t i = rows.first; i < rows.last; ++i) {
        const SeenColumns of_row = seen(i);
        if (of_row.first >= of_row.last) continue;
        first = smaller(first, of_row.first);
        last = of_row.last > last ? of_row.last : last;
    }
    first = first < 0 ? 0 : first;
    last = smaller(last, columns);
    for (; first < last; first += block)
        all.add(Tile{first, smaller(first + block, last)}, keys, values, seen, logit, dropout);
    all.finish(output, lse);
}

}  // namespace kg

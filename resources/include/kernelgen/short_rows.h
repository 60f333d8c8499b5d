// SPDX-License-Identifier: Apache-2.0
// Rows that are shorter than a vector: as many rows at a time as a vector has lanes, one row in each lane. Code that is
// written for one row `i` (an int64_t) and its columns `j` works for them too.
#pragma once

#include "kernelgen/memory.h"

namespace kg {

/// Rows from `first`, one in each lane; only the first `count` lanes are used.
template <class T_>
struct RowLanes {
    using T = T_;
    int64_t first;
    int count;
};

/// Column `first` of several rows.
template <class T_>
struct ColumnOfRows {
    using T = T_;
    static constexpr int slot = 0;
    int64_t first;
};

/// The start of several rows of a tensor; the next row begins `columns` elements later.
template <class S>
struct ShortRows {
    S* data;
    int64_t columns;
    int count;
};

/// The longest row of which several share a vector: half a vector's length.
template <class T>
inline constexpr int64_t short_row = lanes<T> / 2;

/// Not inlined, so that it takes no registers from the loop over longer rows.
template <class T, class Body>
[[gnu::noinline, gnu::flatten]] void for_short_rows(Tile rows, const Body& body) {
    for (int64_t i = rows.first; i < rows.last; i += lanes<T>)
        body(RowLanes<T>{i, static_cast<int>(smaller<int64_t>(rows.last - i, lanes<T>))});
}

/// Calls body(i) for each row of a tile, or, where rows are short, for several rows at once. `body` is passed by value,
/// so that the loop need not keep its captures in memory.
template <class T, class Body>
KG_INLINE void for_rows(Tile rows, int64_t columns, const Body& body) {
    if (columns > short_row<T>) [[likely]] {
        for (int64_t i = rows.first; i < rows.last; ++i) body(i);
    } else {
        const Body copy = body;
        for_short_rows<T>(rows, copy);
    }
}

/// Calls body(j) for the columns of one row, or of several rows.
template <class T, int unroll, class Body>
KG_INLINE void for_columns(int64_t, Tile columns, const Body& body) {
    for_columns<T, unroll>(columns.first, columns.last, body);
}
template <class T, int unroll, class Body>
KG_INLINE void for_columns(RowLanes<T>, Tile columns, const Body& body) {
    for (int64_t j = columns.first; j < columns.last; ++j) body(ColumnOfRows<T>{j});
}

/// The row i of a tensor, or several of its rows.
template <class S>
KG_INLINE S* row(S* tensor, int64_t i, int64_t columns) {
    return tensor + i * columns;
}
template <class S, class T>
KG_INLINE ShortRows<S> row(S* tensor, RowLanes<T> i, int64_t columns) {
    return {tensor + i.first * columns, columns, i.count};
}

/// One column of several rows; of a row that all of them share, its element in every lane.
template <class S, class T>
KG_INLINE vec<T> load(ShortRows<const S> rows, ColumnOfRows<T> j) {
    using Element = typename RawOf<S>::Type;
    const S* const place = rows.data + j.first;
    raw<S, lanes<T>> values{};
    const auto take = [&](int lane) { values[lane] = bits_as<Element>(place[lane * rows.columns]); };
    if (rows.count < lanes<T>) {
        for (int lane = 0; lane < rows.count; ++lane) take(lane);
    } else if (rows.columns == 1) {
        values = load_vector<raw<S, lanes<T>>>(place);
    } else {
#pragma GCC unroll 64
        for (int lane = 0; lane < lanes<T>; ++lane) take(lane);
    }
    return from_raw<T, S>(values);
}
template <class S, class T>
KG_INLINE vec<T> load(const S* row, ColumnOfRows<T> j) {
    return vec<T>{} + load_one<T>(row + j.first);
}

template <bool stream = false, class S, class T, class V>
KG_INLINE void store(ShortRows<S> rows, ColumnOfRows<T> j, V value) {
    const auto values = to_raw<S, T>(wide<T>(value));
    S* const place = rows.data + j.first;
    const auto put = [&](int lane) { place[lane * rows.columns] = bits_as<S>(values[lane]); };
    if (rows.count < lanes<T>) {
        for (int lane = 0; lane < rows.count; ++lane) put(lane);
    } else if (rows.columns == 1) {
        store_vector(place, values);
    } else {
#pragma GCC unroll 64
        for (int lane = 0; lane < lanes<T>; ++lane) put(lane);
    }
}

/// The element of row i, or those of several rows, of a tensor with one element for each row.
template <class T, class S>
KG_INLINE T load_value(const S* values, int64_t i) {
    return load_one<T>(values + i);
}
template <class T, class S>
KG_INLINE vec<T> load_value(const S* values, RowLanes<T> i) {
    return load(ShortRows<const S>{values + i.first, 1, i.count}, ColumnOfRows<T>{0});
}
template <class T, class S>
KG_INLINE void store_value(S* values, int64_t i, T value) {
    values[i] = to_storage<S>(value);
}
template <class S, class T, class V>
KG_INLINE void store_value(S* values, RowLanes<T> i, V value) {
    store(ShortRows<S>{values + i.first, 1, i.count}, ColumnOfRows<T>{0}, value);
}

// No prefetch: short rows are near each other, and the processor's own prefetcher reads ahead.
template <int lines, class S, class T>
KG_INLINE void prefetch(ShortRows<S>, ColumnOfRows<T>) {}
template <int rows, class S, class T>
KG_INLINE void prefetch_row(ShortRows<S>, int64_t, ColumnOfRows<T>) {}

}  // namespace kg

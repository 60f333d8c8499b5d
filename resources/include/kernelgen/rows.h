// SPDX-License-Identifier: Apache-2.0
// The passes over a row: the loop, values that are kept between passes, and division by a value of the row.
#pragma once

#include <stdlib.h>

#include "kernelgen/reductions.h"

namespace kg {

/// Calls body(j) for all columns of a row, and folds the accumulators after every `block` columns.
template <class T, int block, int unroll, class Body, class... Accumulators>
KG_INLINE void for_row(int64_t, int64_t columns, const Body& body, Accumulators&... accumulators) {
    for (int64_t first = 0; first < columns; first += block) {
        for_columns<T, unroll>(first, smaller(first + block, columns), body);
        (accumulators.fold(), ...);
    }
}
template <class T, int block, int unroll, class Body, class... Accumulators>
KG_INLINE void for_row(RowLanes<T> rows, int64_t columns, const Body& body, Accumulators&... accumulators) {
    for_columns<T, unroll>(rows, Tile{0, columns}, body);
    (accumulators.fold(), ...);
}

/// Division by a value by which many numbers are divided. Where the value and its reciprocal are normal numbers, it
/// multiplies: the quotient is within one unit in the last place, with NaN and Inf as by division. Elsewhere it
/// divides.
class Divisor {
public:
    KG_INLINE explicit Divisor(float value) : value_(value), reciprocal_(1 / value) {
        exact_enough_ = __builtin_isnormal(value_) && __builtin_isnormal(reciprocal_);
    }
    template <class V>
    KG_INLINE V divide(V x) const {
        return exact_enough_ ? x * reciprocal_ : x / value_;
    }

private:
    float value_, reciprocal_;
    bool exact_enough_;
};
template <class V>
KG_INLINE V operator/(V x, const Divisor& divisor) {
    return divisor.divide(x);
}
KG_INLINE Divisor divisor(float value) { return Divisor(value); }
/// In double, and where each row has its own lane, it really divides: a quotient that becomes an integer must be exact.
template <class V>
KG_INLINE V divisor(V value) {
    return value;
}

/// Values of a row, or of as many rows as a vector has lanes, that a pass keeps for a later one.
template <class T>
struct RowBuffer {
    T* data;
};
template <class T, class J>
KG_INLINE vec<T> load(RowBuffer<T> buffer, J j) {
    return load(static_cast<const T*>(buffer.data), j);
}
template <class T>
KG_INLINE vec<T> load(RowBuffer<T> buffer, ColumnOfRows<T> j) {
    return load(static_cast<const T*>(buffer.data), WholeVector<T, 0>{j.first * lanes<T>});
}
template <class T, class J, class V>
KG_INLINE void store(RowBuffer<T> buffer, J j, V value) {
    store(buffer.data, j, value);
}
template <class T, class V>
KG_INLINE void store(RowBuffer<T> buffer, ColumnOfRows<T> j, V value) {
    store(buffer.data, WholeVector<T, 0>{j.first * lanes<T>}, value);
}

/// A thread's own memory for `columns` values that a later pass over the row needs; `slot` distinguishes several of
/// them. It is large enough for a vector of short rows too.
template <class T, int slot>
inline RowBuffer<T> row_buffer(int64_t columns) {
    struct Buffer {
        T* data = nullptr;
        int64_t capacity = 0;
        ~Buffer() { free(data); }
    };
    static thread_local Buffer buffer;
    if (buffer.capacity < columns) {
        free(buffer.data);
        buffer.capacity = (columns + 1023) / 1024 * 1024;
        buffer.data = static_cast<T*>(aligned_alloc(64, static_cast<size_t>(buffer.capacity) * sizeof(T)));
        if (buffer.data == nullptr) abort();
    }
    return {buffer.data};
}

}  // namespace kg

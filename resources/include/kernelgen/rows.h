// SPDX-License-Identifier: Apache-2.0
// Row reductions: accumulators that take a vector's worth of columns at a time, and what is kept between the passes
// over a row.
#pragma once

#include <stdlib.h>

#include "kernelgen/memory.h"
#include "kernelgen/selection.h"

namespace kg {

/// `combine` of all lanes: of those `step` apart, then of those half as far, to the neighbours.
template <int step, Vector V, class Combine>
KG_INLINE element<V> reduce(V values, const Combine& combine) {
    if constexpr (step == 0) {
        return values[0];
    } else {
        integers<V> other;
        for (int i = 0; i < lanes<element<V>>; ++i) other[i] = i ^ step;
        return reduce<step / 2>(combine(values, __builtin_shuffle(values, other)), combine);
    }
}
template <Vector V, class Combine>
KG_INLINE element<V> reduce(V values, const Combine& combine) {
    return reduce<lanes<element<V>> / 2>(values, combine);
}

/// `value` in the lanes that belong to columns j, `neutral` in the others.
template <class T, class J>
KG_INLINE vec<T> keep(J j, vec<T> value, T neutral) {
    if constexpr (is_partial<J>) {
        integers<vec<T>> lane;
        for (int i = 0; i < lanes<T>; ++i) lane[i] = i;
        return lane < j.count ? value : vec<T>{} + neutral;
    } else {
        return value;
    }
}

/// The sum of a row. Every slot and lane sums for itself, and `fold` adds them up for each block of columns, so that
/// the error grows with a block's length and the number of blocks, not with the row's length.
template <class T, int unroll>
class RowSum {
public:
    template <class J, class V>
    KG_INLINE void take(J j, V value) {
        part_[J::slot] += keep<T>(j, wide<T>(value), T(0));
    }
    KG_INLINE void fold() {
        for (int i = 1; i < unroll; ++i) part_[0] += part_[i];
        total_ += part_[0];
        for (int i = 0; i < unroll; ++i) part_[i] = vec<T>{};
    }
    KG_INLINE T result() const {
        return reduce(total_, [](auto a, auto b) { return a + b; });
    }

private:
    vec<T> part_[unroll] = {};
    vec<T> total_ = {};
};

/// The largest (or smallest) value of a row; NaN where the row has one.
template <class T, int unroll, bool largest>
class RowExtreme {
public:
    KG_INLINE RowExtreme() {
        for (int i = 0; i < unroll; ++i) part_[i] = vec<T>{} + neutral;
    }
    template <class J, class V>
    KG_INLINE void take(J j, V value) {
        part_[J::slot] = combine(part_[J::slot], keep<T>(j, wide<T>(value), neutral));
    }
    KG_INLINE void fold() {}
    KG_INLINE T result() const {
        vec<T> all = part_[0];
        for (int i = 1; i < unroll; ++i) all = combine(all, part_[i]);
        if (any(all != all)) [[unlikely]]
            return not_a_number<T>;
        return reduce(all, [](auto a, auto b) { return largest ? at_least(a, b) : at_most(a, b); });
    }

private:
    static constexpr T neutral = largest ? -infinity<T> : infinity<T>;
    template <class V>
    static KG_INLINE V combine(V a, V b) {
        if constexpr (largest) return maximum(a, b);
        else return minimum(a, b);
    }
    vec<T> part_[unroll];
};
template <class T, int unroll>
using RowMax = RowExtreme<T, unroll, true>;
template <class T, int unroll>
using RowMin = RowExtreme<T, unroll, false>;

/// Calls body(j) for all columns of a row and folds the accumulators after every `block` of them.
template <class T, int block, int unroll, class Body, class... Accumulators>
KG_INLINE void for_row(int64_t columns, const Body& body, Accumulators&... accumulators) {
    for (int64_t first = 0; first < columns; first += block) {
        for_columns<T, unroll>(first, smaller(first + block, columns), body);
        (accumulators.fold(), ...);
    }
}

/// Division by a value that many are divided by. Where it and its reciprocal are normal numbers a multiplication gives
/// the quotient within one unit in the last place, and NaN and Inf as the division does; elsewhere it divides.
template <class T>
class Divisor {
public:
    KG_INLINE explicit Divisor(T value) : value_(value), reciprocal_(1 / value) {
        exact_enough_ = __builtin_isnormal(value_) && __builtin_isnormal(reciprocal_);
    }
    template <class V>
    KG_INLINE V divide(V x) const {
        return exact_enough_ ? x * reciprocal_ : x / value_;
    }

private:
    T value_, reciprocal_;
    bool exact_enough_;
};
template <class V, class T>
KG_INLINE V operator/(V x, const Divisor<T>& divisor) {
    return divisor.divide(x);
}

/// A thread's own memory for `columns` values that a later pass over the row needs again; `slot` tells several apart.
template <class T, int slot>
inline T* row_buffer(int64_t columns) {
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
    return buffer.data;
}

}  // namespace kg

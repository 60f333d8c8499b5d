// SPDX-License-Identifier: Apache-2.0
// Row reductions: accumulators that take one vector of columns at a time.
#pragma once

#include "kernelgen/selection.h"
#include "kernelgen/short_rows.h"

namespace kg {

/// Combines all lanes by `combine`: first lanes that are `step` apart, then half as far, down to neighbours.
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

/// `value` in the lanes of columns j, `neutral` in the others.
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

// The result of one row is a number; of several rows, one in each lane, a vector.

/// The sum of a row. Every slot and lane has its own sum, and `fold` adds them up after each block of columns. So the
/// error grows with a block's length and the number of blocks, not with the row's length.
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
    KG_INLINE T result(int64_t) const {
        return reduce(total_, [](auto a, auto b) { return a + b; });
    }
    KG_INLINE vec<T> result(RowLanes<T>) const { return total_; }

private:
    vec<T> part_[unroll] = {};
    vec<T> total_ = {};
};

/// The largest (or smallest) value of a row; NaN where the row contains NaN.
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
    KG_INLINE T result(int64_t) const {
        const vec<T> all = combined();
        if (any(all != all)) [[unlikely]]
            return not_a_number<T>;
        return reduce(all, [](auto a, auto b) { return largest ? at_least(a, b) : at_most(a, b); });
    }
    KG_INLINE vec<T> result(RowLanes<T>) const { return combined(); }

private:
    KG_INLINE vec<T> combined() const {
        vec<T> all = part_[0];
        for (int i = 1; i < unroll; ++i) all = combine(all, part_[i]);
        return all;
    }
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

}  // namespace kg

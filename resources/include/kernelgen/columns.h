// SPDX-License-Identifier: Apache-2.0
// The rows and columns of a tile program, and the loop over columns, one vector at a time.
#pragma once

#include "kernelgen/vector.h"

namespace kg {

template <class T>
KG_INLINE T smaller(T a, T b) {
    return a < b ? a : b;
}

KG_INLINE int64_t cdiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The rows or columns [first, last) of one tile program: the part number `tile` of [0, size), in parts of `block`.
struct Tile {
    int64_t first, last;
};
KG_INLINE Tile tile(int64_t index, int64_t block, int64_t size) {
    return {index * block, smaller((index + 1) * block, size)};
}

/// Where no tensor is broadcast, the rows of a tile with all columns are contiguous: they become one long row.
KG_INLINE void join_rows(Tile& rows, Tile& columns, int64_t size) {
    if (columns.first != 0 || columns.last != size) return;
    columns.last = (rows.last - rows.first) * size;
    rows.last = rows.first + 1;
}

/// A vector of columns from `first`: all lanes of a vector of T, or only the first `count` lanes. `slot` is the
/// position in an unrolled iteration.
template <class T_, int slot_>
struct WholeVector {
    using T = T_;
    static constexpr int slot = slot_;
    int64_t first;
};
template <class T_>
struct PartialVector {
    using T = T_;
    static constexpr int slot = 0;
    int64_t first;
    int count;
};
template <class J>
inline constexpr bool is_partial = requires(J j) { j.count; };

/// Calls body(WholeVector or PartialVector) for the columns [first, last), `unroll` vectors in each iteration.
template <class T, int unroll, int slot = 0, class Body>
KG_INLINE void unrolled(int64_t first, const Body& body) {
    if constexpr (slot < unroll) {
        body(WholeVector<T, slot>{first + slot * lanes<T>});
        unrolled<T, unroll, slot + 1>(first, body);
    }
}
template <class T, int unroll, class Body>
KG_INLINE void for_columns(int64_t first, int64_t last, const Body& body) {
    for (; first + unroll * lanes<T> <= last; first += unroll * lanes<T>) unrolled<T, unroll>(first, body);
    for (; first + lanes<T> <= last; first += lanes<T>) body(WholeVector<T, 0>{first});
    if (first < last) body(PartialVector<T>{first, static_cast<int>(last - first)});
}

}  // namespace kg

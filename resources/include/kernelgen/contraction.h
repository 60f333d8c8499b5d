// SPDX-License-Identifier: Apache-2.0
// The product of two operands, a tile at a time. Both operands are packed, some of the depth at a time, into strips
// that are read in order; a tile of sums stays in registers while a strip of each is multiplied. It is the structure of
// BLIS (Van Zee, van de Geijn 2015). docs/CONTRACTIONS.md explains it.
#pragma once

#include "kernelgen/pairs.h"
#include "kernelgen/rows.h"

namespace kg {

/// An operand of which the elements of a line, a row of the result's left operand or a column of its right one, follow
/// each other in memory: load(line, k) gives those of a vector of k. `Dtype`: its elements' dtype in memory, where they
/// are read as they are; otherwise void.
template <class Load, class Dtype_>
struct AlongDepth {
    using Dtype = Dtype_;
    Load load;
};
/// An operand of which the elements for one k follow each other: load(k, lines) gives those of a vector of lines.
template <class Load, class Dtype_>
struct AlongLines {
    using Dtype = Dtype_;
    Load load;
};
template <class Dtype = void, class Load>
KG_INLINE AlongDepth<Load, Dtype> along_depth(Load load) {
    return {load};
}
template <class Dtype = void, class Load>
KG_INLINE AlongLines<Load, Dtype> along_lines(Load load) {
    return {load};
}

/// A part of the depth.
struct Depth {
    int64_t first, count;
};

/// Calls put(i, value) for the lanes of columns j, numbered from `first`.
template <class T, class J, class Put>
KG_INLINE void each_column(J j, vec<T> values, int64_t first, const Put& put) {
    if constexpr (is_partial<J>) {
        for (int lane = 0; lane < j.count; ++lane) put(j.first - first + lane, values[lane]);
    } else {
        for (int lane = 0; lane < lanes<T>; ++lane) put(j.first - first + lane, values[lane]);
    }
}

/// Exchanges rows and columns of a square of as many vectors as a vector has lanes, by blocks of 1, 2, 4, … lanes.
template <class T, int block = 1>
KG_INLINE void transpose(vec<T> (&square)[lanes<T>]) {
    if constexpr (block < lanes<T>) {
        integers<vec<T>> upper, lower;  // lanes of the first vector are numbered before those of the second
        for (int lane = 0; lane < lanes<T>; ++lane) {
            upper[lane] = (lane & block) == 0 ? lane : lanes<T> + lane - block;
            lower[lane] = (lane & block) == 0 ? lane + block : lanes<T> + lane;
        }
#pragma GCC unroll 16
        for (int i = 0; i < lanes<T>; ++i) {
            if ((i & block) != 0) continue;
            const vec<T> a = square[i], b = square[i + block];
            square[i] = __builtin_shuffle(a, b, upper);
            square[i + block] = __builtin_shuffle(a, b, lower);
        }
        transpose<T, 2 * block>(square);
    }
}

/// Packs `lines` of an operand into strips of `width` lines, in which the lines' elements for one k follow those for
/// the k before. Lines beyond the end are 0.
template <class T, int width, class Load, class Dtype>
inline void pack(const AlongDepth<Load, Dtype>& operand, Tile lines, Depth depth, T* packed) {
    static_assert(width % lanes<T> == 0);
    const auto pack_square = [&](int64_t line, auto k, T* to) {
        vec<T> square[lanes<T>];
        for (int i = 0; i < lanes<T>; ++i)
            square[i] = line + i < lines.last ? wide<T>(operand.load(line + i, k)) : vec<T>{};
        transpose<T>(square);
        int count = lanes<T>;
        if constexpr (is_partial<decltype(k)>) count = k.count;
        for (int i = 0; i < count; ++i) store_vector(to + (k.first - depth.first + i) * width, square[i]);
    };
    for (int64_t strip = lines.first; strip < lines.last; strip += width, packed += depth.count * width) {
        for_columns<T, 1>(depth.first, depth.first + depth.count, [&](auto k) {
            for (int line = 0; line < width; line += lanes<T>) pack_square(strip + line, k, packed + line);
        });
    }
}
template <class T, int width, class Load, class Dtype>
inline void pack(const AlongLines<Load, Dtype>& operand, Tile lines, Depth depth, T* packed) {
    const int64_t strip = depth.count * width, strips = cdiv(lines.last - lines.first, width);
    for (int64_t k = 0; k < depth.count; ++k) {
        T* const row = packed + k * width;
        for (int64_t i = lines.last - lines.first; i < strips * width; ++i) row[i / width * strip + i % width] = T(0);
        for_columns<T, 1>(lines.first, lines.last, [&](auto j) {
            const vec<T> values = wide<T>(operand.load(depth.first + k, j));
            const int64_t i = j.first - lines.first;
            if constexpr (width % lanes<T> == 0 && !is_partial<decltype(j)>)
                store_vector(row + i / width * strip + i % width, values);
            else
                each_column<T>(j, values, lines.first,
                               [&](int64_t at, T value) { row[at / width * strip + at % width] = value; });
        });
    }
}

/// The vectors of columns of the tile of sums in registers.
inline constexpr int register_vectors = 2;

/// The left operand, of which single elements are read: how far apart those of neighbouring lines are, and those for
/// neighbouring k.
template <int line_, int depth_>
struct LeftLayout {
    static constexpr int line = line_, depth = depth_;
};

/// Packs the left operand: lines one after the other, `distance` apart, where they follow each other in memory; else
/// strips of `rows` lines. Returns the layout.
template <class T, int rows, int distance, class Load, class Dtype>
KG_INLINE LeftLayout<distance, 1> pack_left(const AlongDepth<Load, Dtype>& operand, Tile lines, Depth depth,
                                            T* packed) {
    int64_t line = lines.first;
    for (; line < lines.last; ++line, packed += distance) {
        for_columns<T, 1>(depth.first, depth.first + depth.count,
                          [&](auto k) { store(packed - depth.first, k, operand.load(line, k)); });
    }
    for (; (line - lines.first) % rows != 0; ++line, packed += distance) {
        for (int64_t k = 0; k < depth.count; ++k) packed[k] = T(0);
    }
    return {};
}
template <class T, int rows, int distance, class Load, class Dtype>
KG_INLINE LeftLayout<1, rows> pack_left(const AlongLines<Load, Dtype>& operand, Tile lines, Depth depth, T* packed) {
    pack<T, rows>(operand, lines, depth, packed);
    return {};
}

/// Parts of a packed operand, each of `depth` k and `lines` elements for one k.
template <int lines>
struct PackedParts {
    float* first;
    int64_t count, distance, depth;

    bool have_subnormals() const {
        bool found = false;
        for (int64_t i = 0; i < count; ++i) found |= has_subnormals(first + i * distance, depth * lines);
        return found;
    }
    void pair_up() const {
        for (int64_t i = 0; i < count; ++i) kg::pair_up<lines>(first + i * distance, depth);
    }
};

/// Puts the elements of both packed operands in pairs, where none is a subnormal number: the instruction would take it
/// as 0. Returns whether it did.
template <int left_lines, int right_lines>
inline bool pair_up_all(const PackedParts<left_lines>& left, const PackedParts<right_lines>& right) {
    if (left.have_subnormals() || right.have_subnormals()) return false;
    left.pair_up();
    right.pair_up();
    return true;
}

/// Adds a strip's products to its tile of sums in memory; writes them there where the tile `is_new`.
template <bool of_pairs, class T, int rows, class Layout>
inline void multiply_strips(Layout, const T* left, const T* right, int64_t depth, bool is_new, T* sums) {
    vec<T> tile[rows][register_vectors] = {};
    for (int64_t k = 0; k < depth; ++k, left += Layout::depth, right += register_vectors * lanes<T>) {
        vec<T> columns[register_vectors];
#pragma GCC unroll 4
        for (int v = 0; v < register_vectors; ++v) columns[v] = load_vector<vec<T>>(right + v * lanes<T>);
#pragma GCC unroll 32
        for (int i = 0; i < rows; ++i) {
            const T row = left[i * Layout::line];
#pragma GCC unroll 4
            for (int v = 0; v < register_vectors; ++v) tile[i][v] = add_products<of_pairs>(tile[i][v], row, columns[v]);
        }
    }
#pragma GCC unroll 32
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < register_vectors; ++v, sums += lanes<T>)
            store_vector(sums, is_new ? tile[i][v] : tile[i][v] + load_vector<vec<T>>(sums));
    }
}

/// Computes the tile `rows` × `columns` of left · right over `depth`, `block` of the depth at a time. Calls
/// epilogue(i, j, product) with a row i and a vector j of columns, each once. `register_rows`: rows of the tile of sums
/// that stays in registers.
template <class T, int register_rows, int block, class Left, class Right, class Epilogue>
inline void contract_packed(Tile rows, Tile columns, int64_t depth, const Left& left, const Right& right,
                            const Epilogue& epilogue) {
    constexpr bool of_pairs = has_pairs<T, typename Left::Dtype, typename Right::Dtype>;
    constexpr int width = register_vectors * lanes<T>;
    constexpr int distance = block + lanes<T>;  // no power of two: lines would share the sets of a cache
    const int64_t row_strips = cdiv(rows.last - rows.first, register_rows);
    const int64_t column_strips = cdiv(columns.last - columns.first, width);
    T* const packed_left = row_buffer<T, 0>(row_strips * register_rows * distance).data;
    T* const packed_right = row_buffer<T, 1>(column_strips * width * block).data;
    T* const sums = row_buffer<T, 2>(row_strips * register_rows * column_strips * width).data;
    for (int64_t first = 0; first < depth; first += block) {
        const Depth part{first, smaller(int64_t(block), depth - first)};
        const auto layout = pack_left<T, register_rows, distance>(left, rows, part, packed_left);
        const int64_t left_strip = layout.line == 1 ? register_rows * part.count : register_rows * distance;
        pack<T, width>(right, columns, part, packed_right);
        bool in_pairs = false;
        if constexpr (of_pairs) {
            constexpr bool is_in_strips = decltype(layout)::line == 1;
            const PackedParts<decltype(layout)::depth> left_parts{
                packed_left, is_in_strips ? row_strips : row_strips * register_rows,
                is_in_strips ? left_strip : distance, part.count};
            in_pairs = pair_up_all(left_parts,
                                   PackedParts<width>{packed_right, column_strips, width * part.count, part.count});
        }
        for (int64_t n = 0; n < column_strips; ++n) {
            for (int64_t m = 0; m < row_strips; ++m) {
                T* const tile = sums + (n * row_strips + m) * register_rows * width;
                const T *const rows_of_tile = packed_left + m * left_strip, *const columns_of_tile =
                                                                                packed_right + n * width * part.count;
                if (of_pairs && in_pairs)
                    multiply_strips<of_pairs, T, register_rows>(layout, rows_of_tile, columns_of_tile,
                                                                cdiv(part.count, int64_t(2)), first == 0, tile);
                else
                    multiply_strips<false, T, register_rows>(layout, rows_of_tile, columns_of_tile, part.count,
                                                             first == 0, tile);
            }
        }
    }
    for (int64_t i = rows.first; i < rows.last; ++i) {
        const T* const row = sums + (i - rows.first) * width;
        for_columns<T, 1>(columns.first, columns.last, [&](auto j) {
            const int64_t column = j.first - columns.first;
            const int64_t strip = column / width * row_strips * register_rows * width;
            epilogue(i, j, load_vector<vec<T>>(row + strip + column % width));
        });
    }
}

/// `contract_packed`, where an operand has no other way (`shifted_planes.h`).
template <class T, int register_rows, int block, class Left, class Right, class Epilogue>
inline void contract(Tile rows, Tile columns, int64_t depth, const Left& left, const Right& right,
                     const Epilogue& epilogue) {
    contract_packed<T, register_rows, block>(rows, columns, depth, left, right, epilogue);
}

}  // namespace kg

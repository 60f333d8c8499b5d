// SPDX-License-Identifier: Apache-2.0
// What products of two operands have in common: how an operand is read, which tile a block computes, where its results
// go. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

// A line of an operand is a row of the left one, or a column of the right one; load(line, k) is the element of a line at
// place k of the depth.

/// An operand of which the elements of a line follow each other in memory.
template <class Load>
struct AlongDepth {
    static constexpr bool along_depth = true;
    Load load;
};
/// An operand of which the elements for one k follow each other.
template <class Load>
struct AlongLines {
    static constexpr bool along_depth = false;
    Load load;
};
template <class Load>
KG_DEVICE AlongDepth<Load> along_depth(Load load) {
    return {load};
}
template <class Load>
KG_DEVICE AlongLines<Load> along_lines(Load load) {
    return {load};
}

/// The elements of a matrix in memory, converted to T; `stride` elements lie between two lines.
template <class T, class Storage>
struct MatrixOfLines {
    const Storage* data;
    int64_t stride;

    KG_DEVICE const Storage* address(int64_t line, int64_t k) const { return data + line * stride + k; }
    KG_DEVICE T operator()(int64_t line, int64_t k) const { return load_one<T>(address(line, k)); }
};
/// `stride` elements lie between two places of the depth.
template <class T, class Storage>
struct MatrixOfDepth {
    const Storage* data;
    int64_t stride;

    KG_DEVICE const Storage* address(int64_t line, int64_t k) const { return data + k * stride + line; }
    KG_DEVICE T operator()(int64_t line, int64_t k) const { return load_one<T>(address(line, k)); }
};
template <class T, class Storage>
KG_DEVICE AlongDepth<MatrixOfLines<T, Storage>> matrix_along_depth(const Storage* data, int64_t stride) {
    return {{data, stride}};
}
template <class T, class Storage>
KG_DEVICE AlongLines<MatrixOfDepth<T, Storage>> matrix_along_lines(const Storage* data, int64_t stride) {
    return {{data, stride}};
}

/// Whether an operand lies in memory as elements of type Storage.
template <class Load, class Storage>
inline constexpr bool is_matrix_of = false;
template <class T, class Storage>
inline constexpr bool is_matrix_of<MatrixOfLines<T, Storage>, Storage> = true;
template <class T, class Storage>
inline constexpr bool is_matrix_of<MatrixOfDepth<T, Storage>, Storage> = true;

/// One element of each output, or the pointers to the outputs.
template <class... Types>
struct Each {};
template <class First, class... Rest>
struct Each<First, Rest...> {
    First first;
    Each<Rest...> rest;
};
KG_DEVICE Each<> each() { return {}; }
template <class First, class... Rest>
KG_DEVICE Each<First, Rest...> each(First first, Rest... rest) {
    return {first, each(rest...)};
}
/// Stores an element of each output at `place`.
KG_DEVICE void store_each(const Each<>&, const Each<>&, int64_t) {}
template <class First, class... Rest, class... Elements>
KG_DEVICE void store_each(const Each<First*, Rest...>& outputs, const Each<First, Elements...>& elements,
                          int64_t place) {
    outputs.first[place] = elements.first;
    store_each(outputs.rest, elements.rest, place);
}

/// The tile of a block: its matrix in the batch, and where it begins.
struct ProductTile {
    int64_t batch, row, column;
};

/// The tile of this block. Blocks that start together share rows and columns: they take `group` tiles of rows by all of
/// columns, then the next.
template <int block_m, int block_n, int group>
KG_DEVICE ProductTile product_tile(int64_t rows, int64_t columns) {
    const int64_t row_tiles = (rows + block_m - 1) / block_m, column_tiles = (columns + block_n - 1) / block_n;
    const int64_t tiles = row_tiles * column_tiles, number = block_index() % tiles;
    const int64_t first = number / (group * column_tiles) * group;
    const int64_t in_group = row_tiles - first < group ? row_tiles - first : group;
    const int64_t place = number % (group * column_tiles);
    return {block_index() / tiles, (first + place % in_group) * block_m, place / in_group * block_n};
}

}  // namespace kg

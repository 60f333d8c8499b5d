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

/// No boxes of a tensor can be copied.
struct NoBoxes {};
/// Boxes of a matrix, or of the matrices of a batch: a tensor of two or three axes.
template <int axes>
struct Boxes {
    const CUtensorMap* map;
};
KG_DEVICE Boxes<2> boxes(const CUtensorMap& map) { return {&map}; }
KG_DEVICE Boxes<3> boxes_of_batch(const CUtensorMap& map) { return {&map}; }

/// The elements of a matrix in memory, converted to T; `stride` elements lie between two lines.
template <class T, class Storage, class Copied>
struct MatrixOfLines {
    const Storage* data;
    int64_t stride;
    Copied boxes;

    KG_DEVICE const Storage* address(int64_t line, int64_t k) const { return data + line * stride + k; }
    KG_DEVICE T operator()(int64_t line, int64_t k) const { return load_one<T>(address(line, k)); }
};
/// `stride` elements lie between two places of the depth.
template <class T, class Storage, class Copied>
struct MatrixOfDepth {
    const Storage* data;
    int64_t stride;
    Copied boxes;

    KG_DEVICE const Storage* address(int64_t line, int64_t k) const { return data + k * stride + line; }
    KG_DEVICE T operator()(int64_t line, int64_t k) const { return load_one<T>(address(line, k)); }
};
template <class T, class Storage, class Copied = NoBoxes>
KG_DEVICE AlongDepth<MatrixOfLines<T, Storage, Copied>> matrix_along_depth(const Storage* data, int64_t stride,
                                                                            Copied boxes = {}) {
    return {{data, stride, boxes}};
}
template <class T, class Storage, class Copied = NoBoxes>
KG_DEVICE AlongLines<MatrixOfDepth<T, Storage, Copied>> matrix_along_lines(const Storage* data, int64_t stride,
                                                                            Copied boxes = {}) {
    return {{data, stride, boxes}};
}

/// Whether an operand lies in memory as elements of type Storage, and how many axes its boxes have: 0 for none.
template <class Load, class Storage>
inline constexpr bool is_matrix_of = false;
template <class T, class Storage, class Copied>
inline constexpr bool is_matrix_of<MatrixOfLines<T, Storage, Copied>, Storage> = true;
template <class T, class Storage, class Copied>
inline constexpr bool is_matrix_of<MatrixOfDepth<T, Storage, Copied>, Storage> = true;
template <class Load, class Storage>
inline constexpr int axes_of_boxes = 0;
template <class T, class Storage, int axes>
inline constexpr int axes_of_boxes<MatrixOfLines<T, Storage, Boxes<axes>>, Storage> = axes;
template <class T, class Storage, int axes>
inline constexpr int axes_of_boxes<MatrixOfDepth<T, Storage, Boxes<axes>>, Storage> = axes;

/// Whether the copy engine can read an operand by its boxes.
template <int axes>
KG_DEVICE bool can_copy(const Boxes<axes>& boxes) {
    return is_given(*boxes.map);
}

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

/// A tile of the result: its matrix in the batch, and where it begins.
struct ProductTile {
    int64_t batch, row, column;
};

/// The tiles of this block, one after the other: of all tiles of `batches` matrices of `m` rows and `n` columns, each
/// block_count()-th. There are less than 2^32 tiles. `split` blocks have the same tile. The blocks of a cluster have
/// tiles below one another; the last may lie behind the rows. Blocks that start together share rows and columns: they
/// take `group` rows of tiles, all columns of those, then the next rows.
template <int block_m, int block_n, int group, int cluster = 1, int split = 1>
class ProductTiles {
public:
    KG_DEVICE ProductTiles(int64_t batches, int64_t m, int64_t n)
        : m_(m),
          n_(n),
          row_tiles_(static_cast<unsigned>((m + block_m * cluster - 1) / (block_m * cluster))),
          column_tiles_(static_cast<unsigned>((n + block_n - 1) / block_n)),
          count_(static_cast<unsigned>(batches) * row_tiles_ * column_tiles_),
          number_(block_index() / (cluster * split)) {}

    KG_DEVICE int64_t rows() const { return m_; }
    KG_DEVICE int64_t columns() const { return n_; }
    /// Whether this block has one more tile.
    KG_DEVICE bool any() const { return number_ < count_; }
    KG_DEVICE void next() { number_ += block_count() / (cluster * split); }

    KG_DEVICE ProductTile tile() const {
        constexpr unsigned most_together = group < cluster ? 1 : group / cluster;
        const unsigned together = row_tiles_ < most_together ? row_tiles_ : most_together;
        const unsigned tiles = row_tiles_ * column_tiles_, batch = number_ / tiles, number = number_ - batch * tiles;
        const unsigned groups = number / (together * column_tiles_), first = groups * together;
        const unsigned in_group = row_tiles_ - first < together ? row_tiles_ - first : together;
        const unsigned place = number - groups * (together * column_tiles_), column = place / in_group;
        const unsigned row = first + place - column * in_group;
        return {batch, (int64_t{row} * cluster + block_index() / split % cluster) * block_m, int64_t{column} * block_n};
    }

private:
    int64_t m_, n_;
    unsigned row_tiles_;  ///< as many rows of tiles as a cluster has blocks count as one
    unsigned column_tiles_, count_, number_;
};

}  // namespace kg

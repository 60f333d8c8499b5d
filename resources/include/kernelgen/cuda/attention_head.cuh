// SPDX-License-Identifier: Apache-2.0
// What attention of one head reads, and where its results go.
#pragma once

namespace kg {

// What the elements of a row are times: a factor of the tensor, or of each `block` rows of a head.
struct NoScale {
    static constexpr bool is_by_block = false;
    KG_DEVICE float operator()(int64_t) const { return 1; }
};
template <class T>
struct TensorScale {
    static constexpr bool is_by_block = false;
    T value;
    KG_DEVICE T operator()(int64_t) const { return value; }
};
template <class T>
KG_DEVICE TensorScale<T> tensor_scale(T value) {
    return {value};
}
template <class T, int block, class Storage>
struct BlockScale {
    static constexpr bool is_by_block = true;
    const Storage* data;
    KG_DEVICE T operator()(int64_t row) const { return load_one<T>(data + row / block); }
};
/// Of a head with `rows` rows.
template <class T, int block, class Storage>
KG_DEVICE BlockScale<T, block, Storage> block_scale(const Storage* data, int64_t head, int64_t rows) {
    return {data + head * ((rows + block - 1) / block)};
}

/// Where a box of a tensor map begins.
struct HeadBox {
    int row, matrix;
};

/// Rows of `size` elements of a head, or of all heads by boxes of `map`, of which it is number `head`.
template <class T, class Storage, class Scale>
struct HeadRows {
    const Storage* data;
    int64_t size;
    const CUtensorMap* map;
    int head;
    Scale scale;

    KG_DEVICE const Storage* address(int64_t row) const { return data + row * size; }
    KG_DEVICE T operator()(int64_t row, int64_t d) const { return load_one<T>(address(row) + d) * scale(row); }
    KG_DEVICE HeadBox box(int row) const { return {row, head}; }
    /// Of `lines` rows that are copied together, those of a box; 0: no boxes have them.
    KG_DEVICE int lines_of_box(int lines) const { return lines; }
};
template <class T, class Storage, class Scale = NoScale>
KG_DEVICE HeadRows<T, Storage, Scale> rows_of_head(const Storage* data, const CUtensorMap& map, int64_t head,
                                                   int64_t rows, int64_t size, Scale scale = {}) {
    return {data + head * rows * size, size, &map, static_cast<int>(head), scale};
}
/// Values of 8 bits, and their tiles (ValueTile) for heads of at most `most` elements.
template <class T, class Storage, class Scale>
struct TiledRows {
    const Storage* data;
    int64_t size;
    const int8_t* tiles;
    Scale scale;

    KG_DEVICE T operator()(int64_t row, int64_t d) const { return load_one<T>(data + row * size + d) * scale(row); }
};
template <class T, int most, class Storage, class Scale = NoScale>
KG_DEVICE TiledRows<T, Storage, Scale> tiled_rows_of_head(const Storage* data, const int8_t* tiles, int64_t head,
                                                          int64_t rows, int64_t size, Scale scale = {}) {
    return {data + head * rows * size, size, tiles + head * ((rows + 127) / 128 * 128) * most, scale};
}

/// The same of a head of a paged cache. A box has the rows of a block, or some of them.
template <class T, class Storage>
struct PagedRows {
    const Storage* data;
    int64_t size;
    const CUtensorMap* map;
    Pages pages;
    int head;

    KG_DEVICE const Storage* address(int64_t row) const { return data + pages.row(head, row) * size; }
    KG_DEVICE T operator()(int64_t row, int64_t d) const { return load_one<T>(address(row) + d); }
    KG_DEVICE HeadBox box(int row) const {
        return {row % static_cast<int>(pages.size), static_cast<int>(pages.matrix(head, row))};
    }
    /// Boxes begin in shared memory at multiples of 8 rows.
    KG_DEVICE int lines_of_box(int lines) const {
        if (pages.size % lines == 0) return lines;
        return pages.size % 8 == 0 && lines % pages.size == 0 ? static_cast<int>(pages.size) : 0;
    }
};
template <class T, class Storage>
KG_DEVICE PagedRows<T, Storage> paged_rows(const Storage* data, const CUtensorMap& map, const Pages& pages, int64_t head,
                                           int64_t size) {
    return {data, size, &map, pages, static_cast<int>(head)};
}

/// Where a head's results go.
template <class Storage>
struct StoredRows {
    Storage* data;
    int64_t size;

    template <class T>
    KG_DEVICE void operator()(int64_t row, int64_t d, T value) const {
        data[row * size + d] = to_storage<Storage>(value);
    }
    KG_DEVICE bool has_pieces() const {  // of 16 bytes, in each row
        return sizeof(Storage) == 2 && size % 8 == 0 && reinterpret_cast<uint64_t>(data) % 16 == 0;
    }
};
template <class Storage>
KG_DEVICE StoredRows<Storage> stored_rows(Storage* data, int64_t head, int64_t rows, int64_t size) {
    return {data + head * rows * size, size};
}
template <class Storage>
struct StoredSums {
    Storage* data;
    template <class T>
    KG_DEVICE void operator()(int64_t row, T value) const {
        data[row] = to_storage<Storage>(value);
    }
};
template <class Storage>
KG_DEVICE StoredSums<Storage> stored_sums(Storage* data, int64_t head, int64_t rows) {
    return {data + head * rows};
}
struct NoSums {
    template <class T>
    KG_DEVICE void operator()(int64_t, T) const {}
};

/// A head with `rows` queries and `columns` keys. queries(i, d), keys(j, d) and values(j, d) are elements; seen(i) gives
/// the columns that row i sees, logit(i, j, product) a logit. Calls output(i, d, value) and lse(i, value).
template <class Queries, class Keys, class Values, class Seen, class Logit, class Output, class Lse>
struct AttentionHead {
    int64_t rows, columns;
    Queries queries;
    Keys keys;
    Values values;
    Seen seen;
    Logit logit;
    Output output;
    Lse lse;
};
template <class Queries, class Keys, class Values, class Seen, class Logit, class Output, class Lse>
KG_DEVICE AttentionHead<Queries, Keys, Values, Seen, Logit, Output, Lse> attention_head(
    int64_t rows, int64_t columns, Queries queries, Keys keys, Values values, Seen seen, Logit logit, Output output,
    Lse lse) {
    return {rows, columns, queries, keys, values, seen, logit, output, lse};
}

// A logit is factor() · prepared(product), of which the factor is above 0.

template <class T>
struct ScaledProduct {
    static constexpr bool is_prepared = false;
    T scale;

    KG_DEVICE T factor() const { return scale; }
    KG_DEVICE T prepared(T product) const { return product; }
    KG_DEVICE T operator()(int64_t, int64_t, T product) const { return product * scale; }
};
template <class T>
KG_DEVICE ScaledProduct<T> scaled_product(T scale) {
    return {scale};
}
/// With a soft cap.
template <class T>
struct CappedProduct {
    static constexpr bool is_prepared = true;
    T scale, cap;

    KG_DEVICE T factor() const { return cap; }
    KG_DEVICE T prepared(T product) const { return tanh(product * scale / cap); }
    KG_DEVICE T operator()(int64_t, int64_t, T product) const { return cap * prepared(product); }
};
template <class T>
KG_DEVICE CappedProduct<T> capped_product(T scale, T cap) {
    return {scale, cap};
}

/// Of four neighbouring lanes that have four words each: word i of lane j becomes word j of lane i.
KG_DEVICE void exchange_words(uint32_t (&words)[4]) {
    KG_UNROLL
    for (int distance = 1; distance <= 2; distance *= 2) {
        const bool is_second = (thread_index() & distance) != 0;
        KG_UNROLL
        for (int i = 0; i < 4; ++i) {
            if ((i & distance) != 0) continue;
            const uint32_t other = from_lane_xor(is_second ? words[i] : words[i + distance], distance);
            (is_second ? words[i] : words[i + distance]) = other;
        }
    }
}

/// Stores `sums` of a row times `factor`, by the four lanes that share the row: pairs in columns lane % 4 · 2 of every 8,
/// each four floats behind the one before. The sums are those from column `begin` on. Nothing where the row does not
/// exist.
template <int columns, class Storage>
KG_DEVICE void store_row(const StoredRows<Storage>& to, int64_t row, bool exists, const float* sums, float factor,
                         int begin = 0) {
    const int lane = thread_index() % 4;
    if constexpr (sizeof(Storage) == 2) {
        if (to.has_pieces()) {
            KG_UNROLL
            for (int first = 0; first < columns; first += 32) {
                uint32_t words[4];
                KG_UNROLL
                for (int i = 0; i < 4; ++i) {
                    const float* const pair = sums + (first / 8 + i) * 4;
                    words[i] = is_same<Storage, kg_bf16> ? bfloats(pair[0] * factor, pair[1] * factor)
                                                         : halves(pair[0] * factor, pair[1] * factor);
                }
                exchange_words(words);
                const int column = begin + first + 8 * lane;
                if (exists && column < to.size)
                    write_words<cache_default, 4>(to.data + row * to.size + column, words);
            }
            return;
        }
    }
    KG_UNROLL
    for (int i = 0; i < columns / 4; ++i) {
        const int column = begin + i / 2 * 8 + 2 * lane + i % 2;
        if (exists && column < to.size) to(row, column, sums[i / 2 * 4 + i % 2] * factor);
    }
}

}  // namespace kg

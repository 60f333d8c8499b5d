// SPDX-License-Identifier: Apache-2.0
// What the gradients of attention by tensor cores read, and where they go: the heads that share keys, and the workspace
// with the sums of the queries' gradients.
#pragma once

namespace kg {

/// The `heads` heads from `first_head` on share the keys and values of head `kv_head`, of which the batch has `columns`.
/// seen(i) gives the columns that row i sees; neither bound is smaller for a later row, and each stays or goes with it.
template <class Seen, class Storage>
struct GradientHeads {
    int64_t rows, columns, all_columns, size;
    int first_head, heads, kv_head;
    const CUtensorMap *queries, *gradients, *keys, *values;
    Seen seen;
    float scale;
    StoredRows<Storage> key_gradients, value_gradients;
};
template <class Seen, class Storage>
GradientHeads(int64_t, int64_t, int64_t, int64_t, int, int, int, const CUtensorMap*, const CUtensorMap*,
              const CUtensorMap*, const CUtensorMap*, Seen, float, StoredRows<Storage>, StoredRows<Storage>)
    -> GradientHeads<Seen, Storage>;

/// How `warps` warps share a tile of `block_m` rows. Of heads of up to 128 elements each warpgroup has 64 columns of its
/// own; of larger ones all have the same 64 columns, of which each computes the scores of some rows, and the sums of
/// some elements.
template <int block_m, int head, int warps>
struct GradientShares {
    static constexpr int groups = warps / 4, panels = head / 64;
    static constexpr bool splits_head = head > 128;
    static constexpr int block_n = splits_head ? 64 : 64 * groups;
    static constexpr int score_rows = splits_head ? block_m / groups : block_m;
    static constexpr int own_head = splits_head ? head / groups : head;
    /// A warpgroup adds to the queries' sums of `own_panels` panels of 64 elements, of `own_rows` rows.
    static constexpr int own_panels = splits_head ? panels / groups : 1;
    static constexpr int own_rows = splits_head ? block_m : block_m / (groups / panels);
    static_assert(head % 64 == 0 && (splits_head ? panels % groups : groups % panels) == 0);
    static_assert(score_rows % 16 == 0 && own_rows % 16 == 0);

    static KG_DEVICE int first_panel(int group) { return splits_head ? group * own_panels : group % panels; }
    static KG_DEVICE int first_row(int group) { return splits_head ? 0 : group / panels * own_rows; }
};

/// The workspace, of tiles of `block_m` rows of all heads, numbered from the first head's first tile on: sums of the
/// queries' gradients, in the order in which the threads that add have them; then of each row −log₂ e · its log-sum-exp,
/// and delta; then, where blocks add in turn, whose turn it is.
template <int block_m, int head>
struct GradientSums {
    static constexpr int tile_floats = block_m * head;
    float* sums;
    int64_t tiles;

    KG_DEVICE float* of_tile(int64_t tile) const { return sums + tile * tile_floats; }
    KG_DEVICE float* statistics(int64_t tile) const { return sums + tiles * tile_floats + tile * 2 * block_m; }
    /// Of one warpgroup.
    KG_DEVICE uint32_t* turn(int64_t tile, int group) const { return counters() + 1 + tile * 4 + group; }
    /// How many blocks have begun.
    KG_DEVICE uint32_t* counters() const {
        return reinterpret_cast<uint32_t*>(sums + tiles * (tile_floats + 2 * block_m));
    }
};

template <int block_m>
KG_DEVICE int tiles_of_rows(int64_t rows) {
    return static_cast<int>((rows + block_m - 1) / block_m);
}

/// The last row of a tile.
template <int block_m, class Heads>
KG_DEVICE int64_t last_row(int tile, const Heads& of) {
    const int64_t end = (tile + int64_t{1}) * block_m;
    return (end < of.rows ? end : of.rows) - 1;
}

/// The first of `tiles` from `first` on for which is_beyond(tile); if it is for one, then for all behind it.
template <class Beyond>
KG_DEVICE int first_beyond(int first, int tiles, const Beyond& is_beyond) {
    while (first < tiles) {
        const int middle = first + (tiles - first) / 2;
        if (is_beyond(middle)) tiles = middle;
        else first = middle + 1;
    }
    return first;
}

/// Tiles [first, end) of rows, some of which may see columns from `column` on, `block_n` of them.
template <int block_m, int block_n, class Heads>
KG_DEVICE SeenBlocks tiles_that_see(int64_t column, const Heads& of) {
    if (column >= of.columns) return {0, 0};
    const int tiles = tiles_of_rows<block_m>(of.rows);
    const int first =
        first_beyond(0, tiles, [&](int tile) { return of.seen(last_row<block_m>(tile, of)).last > column; });
    const int end = first_beyond(
        first, tiles, [&](int tile) { return of.seen(tile * int64_t{block_m}).first >= column + block_n; });
    return {first, end};
}

/// Rows [first, end) that see a column, by their distance from a row.
struct SeenRows {
    int first, end;
};
template <class Seen>
KG_DEVICE SeenRows rows_that_see(int64_t column, int64_t row, const Seen& seen) {
    constexpr int64_t far = 1 << 20;
    const auto near = [](int64_t distance) {
        return static_cast<int>(distance < -far ? -far : distance < far ? distance : far);
    };
    const SeenColumns zero = seen(0), one = seen(1), of_row = seen(row);
    const int64_t first = one.last > zero.last ? column + 1 - of_row.last : column < of_row.last ? -far : far;
    const int64_t end = one.first > zero.first ? column + 1 - of_row.first : column < of_row.first ? -far : far;
    return {near(first), near(end)};
}

}  // namespace kg

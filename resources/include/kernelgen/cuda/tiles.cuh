// SPDX-License-Identifier: Apache-2.0
// Tiles of rows and columns, for bodies without reductions. Each thread has some packs of a tile. All loads of a tile
// are issued before the first value is used.
#pragma once

namespace kg {

struct SameRow {
    KG_DEVICE int64_t operator()(int64_t row) const { return row; }
};

/// How a tensor is broadcast in the space: whether its elements differ between rows and between columns, and which of
/// its rows belongs to row i of the space.
template <class S, bool per_row_, bool per_column_, class RowOf>
struct View {
    using Element = S;
    static constexpr bool per_row = per_row_, per_column = per_column_;
    S* data;
    RowOf row_of;
};
/// One element for each row and column.
template <class S, class RowOf = SameRow>
KG_DEVICE View<S, true, true, RowOf> matrix(S* data, RowOf row_of = {}) {
    return {data, row_of};
}
/// One row, the same for all rows of the space.
template <class S>
KG_DEVICE View<S, false, true, SameRow> row_vector(S* data) {
    return {data, {}};
}
/// One element for each row.
template <class S, class RowOf = SameRow>
KG_DEVICE View<S, true, false, RowOf> column_vector(S* data, RowOf row_of = {}) {
    return {data, row_of};
}
/// One element for the whole space.
template <class S>
KG_DEVICE View<S, false, false, SameRow> scalar(S* data) {
    return {data, {}};
}

template <class T, int block_m, int block_n, int warps, int stages, bool persistent, int vec, int load_cache,
          int store_cache>
class Tiles {
    static constexpr int threads = 32 * warps;
    // At most so large that every thread has a pack.
    static constexpr int pack = smaller_of(pack_size<vec>, larger_of(block_m* block_n / threads, 1));
    static constexpr int threads_along = smaller_of(block_n / pack, threads);  // the columns of a tile
    static constexpr int threads_down = threads / threads_along;
    static constexpr int packs_along = ceiling(block_n, threads_along* pack);
    static constexpr int packs_down = ceiling(block_m, threads_down);
    static_assert(block_n % (threads_along * pack) == 0 && threads % threads_along == 0,
                  "BLOCK_N and num_warps must be powers of two");

    struct Space {
        int64_t rows, columns;
        bool aligned;  // whole packs may be read and written at once
    };

    /// A thread's part of a tile.
    struct Place {
        int64_t row, column, columns;  // of its first element; of the space
        int64_t origin;                // the first element's place in a tensor that fills the space
        int rows_left, columns_left;   // from there, of the tile that is in the space
        bool aligned;

        /// The number of elements of a pack that are in the tile and in the space.
        KG_DEVICE int valid(int down, int along) const {
            const int left = columns_left - along * threads_along * pack;
            return down * threads_down >= rows_left || left < 0 ? 0 : smaller_of(left, pack);
        }
        template <class S, bool per_row, bool per_column, class RowOf>
        KG_DEVICE S* at(const View<S, per_row, per_column, RowOf>& view, int down) const {
            const int64_t row_down = row + down * threads_down;
            if constexpr (!per_row) return view.data + (per_column ? column : 0);
            else if constexpr (!per_column) return view.data + view.row_of(row_down);
            else if constexpr (is_same<RowOf, SameRow>) return view.data + origin + down * threads_down * columns;
            else return view.data + view.row_of(row_down) * columns + column;
        }
    };

    /// A thread's values of an input for a tile.
    template <class View>
    struct Loaded {
        static constexpr int down = View::per_row ? packs_down : 1, along = View::per_column ? packs_along : 1;
        static constexpr int size = View::per_column ? pack : 1;
        // A row that all rows share is read repeatedly and stays in near caches.
        static constexpr int cache = View::per_row && View::per_column ? load_cache : cache_default;
        Pack<typename View::Element, size> packs[down][along];

        template <bool whole>
        KG_DEVICE void load(const View& view, const Place& place) {
            KG_UNROLL
            for (int m = 0; m < down; ++m) {
                const auto* const row = place.at(view, m);
                KG_UNROLL
                for (int n = 0; n < along; ++n) {
                    const auto* const from = row + n * threads_along * pack;
                    const int valid = View::per_row || View::per_column ? smaller_of(place.valid(m, n), size) : 1;
                    if (whole || (place.aligned && valid == size)) packs[m][n].template load<cache>(from);
                    else packs[m][n].load_some(from, valid);
                }
            }
        }
        KG_DEVICE T value(int m, int n, int e) const {
            return packs[down > 1 ? m : 0][along > 1 ? n : 0].template value<T>(View::per_column ? e : 0);
        }
    };
    template <class View>
    struct Results {
        T value[pack];
    };

    template <class View>
    static KG_DEVICE bool is_view_aligned(const View& view) {
        return !View::per_column || is_aligned(view.data, Pack<typename View::Element, pack>::alignment);
    }
    template <class... Views>
    static KG_DEVICE bool are_aligned(const List<Views...>& views) {
        return views.apply([](const auto&... each) { return (is_view_aligned(each) && ... && true); });
    }

    /// The position of a tile. `whole`: all of its packs are complete, and may be loaded and stored without masks.
    static KG_DEVICE Place place_of(unsigned tile, const Space& space, bool& whole) {
        const unsigned tiles_along = static_cast<unsigned>((space.columns + block_n - 1) / block_n);
        const unsigned tile_row = space.rows == 1 ? 0 : tiles_along == 1 ? tile : tile / tiles_along;
        const int64_t first_row = int64_t(tile_row) * block_m;
        const int64_t first_column = int64_t(tile - tile_row * tiles_along) * block_n;
        const int down = thread_index() / threads_along, along = thread_index() % threads_along * pack;
        const int64_t rows = space.rows - first_row, columns = space.columns - first_column;
        whole = space.aligned && block_m % threads_down == 0 && rows >= block_m && columns >= block_n;
        Place place;
        place.row = first_row + down;
        place.column = first_column + along;
        place.columns = space.columns;
        place.origin = place.row * space.columns + place.column;
        place.rows_left = (rows < block_m ? static_cast<int>(rows) : block_m) - down;
        place.columns_left = (columns < block_n ? static_cast<int>(columns) : block_n) - along;
        place.aligned = space.aligned;
        return place;
    }

    template <bool whole, class... Inputs>
    static KG_DEVICE List<Loaded<Inputs>...> loaded(const List<Inputs...>& inputs, const Place& place) {
        List<Loaded<Inputs>...> all;
        inputs.apply([&](const auto&... view) {
            all.apply([&](auto&... each) { (each.template load<whole>(view, place), ...); });
        });
        return all;
    }

    template <bool whole, class LoadedInputs, class... Outputs, class Body>
    static KG_DEVICE void compute(const LoadedInputs& inputs, const List<Outputs...>& outputs, const Place& place,
                                  const Body& body) {
        KG_UNROLL
        for (int m = 0; m < packs_down; ++m) {
            KG_UNROLL
            for (int n = 0; n < packs_along; ++n) {
                List<Results<Outputs>...> results;
                KG_UNROLL
                for (int e = 0; e < pack; ++e) {
                    inputs.apply([&](const auto&... in) {
                        results.apply([&](auto&... out) { body(in.value(m, n, e)..., out.value[e]...); });
                    });
                }
                outputs.apply([&](const auto&... view) {
                    results.apply([&](const auto&... out) { (store<whole>(view, out.value, place, m, n), ...); });
                });
            }
        }
    }

    template <bool whole, class View>
    static KG_DEVICE void store(const View& view, const T* values, const Place& place, int m, int n) {
        Pack<typename View::Element, pack> packed;
        packed.set(values);
        auto* const to = place.at(view, m) + n * threads_along * pack;
        const int valid = place.valid(m, n);
        if (whole || (place.aligned && valid == pack)) packed.template store<store_cache>(to);
        else packed.store_some(to, valid);
    }

    template <class Inputs, class Outputs, class Body>
    static KG_DEVICE void one_tile(const Space& space, const Inputs& inputs, const Outputs& outputs, const Body& body) {
        bool whole;
        const Place place = place_of(block_index(), space, whole);
        if (whole) compute<true>(loaded<true>(inputs, place), outputs, place, body);
        else compute<false>(loaded<false>(inputs, place), outputs, place, body);
    }

    /// Loops over tiles in steps of the grid, with the inputs of `stages` tiles in flight.
    template <class Inputs, class Outputs, class Body>
    static KG_DEVICE void many_tiles(const Space& space, const Inputs& inputs, const Outputs& outputs,
                                     const Body& body) {
        const int64_t tiles = (space.rows + block_m - 1) / block_m * ((space.columns + block_n - 1) / block_n);
        using LoadedInputs = decltype(loaded<true>(inputs, Place()));
        LoadedInputs stage[stages];
        const auto load = [&](LoadedInputs& to, int64_t tile) {
            if (tile >= tiles) return;
            bool whole;
            const Place place = place_of(static_cast<unsigned>(tile), space, whole);
            to = whole ? loaded<true>(inputs, place) : loaded<false>(inputs, place);
        };
        const int64_t step = block_count();
        int64_t tile = block_index();
        KG_UNROLL
        for (int s = 0; s + 1 < stages; ++s) load(stage[s], tile + s * step);
        while (true) {
            KG_UNROLL
            for (int s = 0; s < stages; ++s, tile += step) {
                if (tile >= tiles) return;
                load(stage[(s + stages - 1) % stages], tile + (stages - 1) * step);
                bool whole;
                const Place place = place_of(static_cast<unsigned>(tile), space, whole);
                if (whole) compute<true>(stage[s], outputs, place, body);
                else compute<false>(stage[s], outputs, place, body);
            }
        }
    }

public:
    /// Calls body(an element of each input…, T& for each output…) for every row and column of the space. A block
    /// computes one tile, or, where `persistent`, loops over tiles. At most 2^32 tiles.
    template <class Inputs, class Outputs, class Body>
    static KG_DEVICE void for_each(int64_t rows, int64_t columns, const Inputs& inputs, const Outputs& outputs,
                                   const Body& body) {
        const bool aligned = are_aligned(inputs) && are_aligned(outputs) && (rows == 1 || columns % pack == 0);
        const Space space = {rows, columns, aligned};
        if constexpr (persistent) many_tiles(space, inputs, outputs, body);
        else one_tile(space, inputs, outputs, body);
    }
};

}  // namespace kg

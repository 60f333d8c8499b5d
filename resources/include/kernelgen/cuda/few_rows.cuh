// SPDX-License-Identifier: Apache-2.0
// Products of a few rows by tensor cores, where the right operand is read once from memory and nothing else counts. Warps
// share the depth: each loads its parts of the right operand to registers, in the order in which mma takes them, and
// their sums are added in shared memory at last. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// Products of block_m rows, 8 or 16, and of block_n lines of the right operand. The elements have type Storage, kg_f16
/// or kg_bf16, and those of a row follow each other. A warp has `stages` parts of the depth on their way.
template <class Storage, int block_m, int block_n, int warps, int stages>
class FewRowProducts {
    static constexpr int threads = 32 * warps;

    int64_t m_, n_, depth_;

    /// The sums of warps, of each element one after the other, in the launch's shared memory.
    static KG_DEVICE float* shared_sums() { return reinterpret_cast<float*>(launched_shared_memory()); }
    template <class Form>
    static KG_DEVICE void put(const typename Form::Sums& sums) {
        const int warp = thread_index() / 32, lane = thread_index() % 32;
        KG_UNROLL
        for (int l = 0; l < Form::line_groups; ++l) {
            KG_UNROLL
            for (int r = 0; r < Form::row_groups; ++r) {
                KG_UNROLL
                for (int i = 0; i < 4; ++i) {
                    const int row = 8 * r + lane % 4 * 2 + i % 2;
                    shared_sums()[(warp * block_m + row) * block_n + Form::line_of(l, i)] = sums[l][r][i];
                }
            }
        }
    }

    /// Adds the products of this warp's parts. Warps take parts beside one another, so that together they read lines of the
    /// caches whole.
    template <class Form, class Left, class Right>
    KG_DEVICE void add_products(const ProductTile& tile, const Left& left, const Right& right,
                                typename Form::Sums& sums) const {
        const FewRowReader<Storage> reader{depth_};
        constexpr int step = warps * Form::part;
        int64_t k = thread_index() / 32 * Form::part;
        if constexpr (is_matrix_of<decltype(left.load), Storage> && is_matrix_of<decltype(right.load), Storage>) {
            const bool has_pieces = has_whole_pieces<Storage>(left.load) && has_whole_pieces<Storage>(right.load);
            typename Form::Loaded loaded[stages];
            const auto load = [&](int stage, int64_t at) {
                Form::template load<true>(reader, tile, left, m_, right, n_, at + stage * step, loaded[stage]);
            };
            // `stages` parts are on their way: as soon as one is multiplied, the next one is loaded.
            const auto has_stages = [&](int64_t at) { return at + (stages - 1) * step + Form::part <= depth_; };
            const bool has_any = has_pieces && has_stages(k);
            if (has_any) {
                KG_UNROLL
                for (int stage = 0; stage < stages; ++stage) load(stage, k);
                for (; has_stages(k + stages * step); k += stages * step) {
                    KG_UNROLL
                    for (int stage = 0; stage < stages; ++stage) {
                        Form::multiply(loaded[stage], sums);
                        load(stage, k + stages * step);
                    }
                }
                KG_UNROLL
                for (int stage = 0; stage < stages; ++stage) Form::multiply(loaded[stage], sums);
                k += stages * step;
            }
        }
        for (; k < depth_; k += step) {
            typename Form::Loaded loaded;
            Form::template load<false>(reader, tile, left, m_, right, n_, k, loaded);
            Form::multiply(loaded, sums);
        }
    }

public:
    /// As TensorProducts::each_tile.
    template <class Tiles, class Visit>
    static KG_DEVICE void each_tile(Tiles tiles, int64_t depth, const Visit& visit) {
        FewRowProducts products;
        products.m_ = tiles.rows(), products.n_ = tiles.columns(), products.depth_ = depth;
        for (; thread_index() < threads && tiles.any(); tiles.next()) visit(products, tiles.tile());
    }

    /// Stores epilogue(i, j, product), an element of each output, for row i and column j of the matrix.
    template <class Left, class Right, class Outputs, class Epilogue>
    KG_DEVICE void compute(const ProductTile& tile, const Left& left, const Right& right, const Outputs& outputs,
                           const Epilogue& epilogue) {
        static_assert(Left::along_depth);
        using Form = FewRowForm<Storage, block_m, block_n, Right::along_depth>;
        typename Form::Sums sums = {};
        add_products<Form>(tile, left, right, sums);
        put<Form>(sums);
        barrier_of_threads<threads>();
        for (int element = thread_index(); element < block_m * block_n; element += threads) {
            const int64_t i = tile.row + element / block_n, j = tile.column + element % block_n;
            float sum = 0;
            KG_UNROLL
            for (int warp = 0; warp < warps; ++warp) sum += shared_sums()[warp * block_m * block_n + element];
            if (i < m_ && j < n_) store_each(outputs, epilogue(i, j, sum), i * n_ + j);
        }
        barrier_of_threads<threads>();
    }
};

}  // namespace kg

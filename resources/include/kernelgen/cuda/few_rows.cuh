// SPDX-License-Identifier: Apache-2.0
// Products of a few rows by tensor cores, where the right operand is read once from memory and nothing else counts. Warps
// share the depth: each loads its parts of the right operand to registers, in the order in which mma takes them, and
// their sums are added in shared memory at last. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// Products of block_m rows, 8 or 16, and of block_n lines of the right operand. The elements have type Storage, kg_f16
/// or kg_bf16, and those of a row and of a line follow each other. A warp has `stages` parts of the depth on their way.
template <class Storage, int block_m, int block_n, int warps, int stages>
class FewRowProducts {
    static constexpr bool is_bfloat = is_same<Storage, kg_bf16>;
    static constexpr int row_groups = block_m / 8, line_groups = block_n / 16, threads = 32 * warps;
    static constexpr int part = 32;  // of the depth: 8 elements for each lane of four
    static_assert(block_m % 8 == 0 && block_n % 16 == 0);

    /// The elements of a lane: of rows or lines lane / 4 of each group of 8, 8 from lane % 4 · 8 on. As operands of mma
    /// they are two times 2 pairs; the order of the depth is another than in memory, the same in both operands.
    struct Loaded {
        uint32_t rows[row_groups][4], lines[2 * line_groups][4];
    };
    using Sums = float[line_groups][row_groups][4];

    int64_t m_, n_, depth_;

    /// What does not exist is read from where something is: its sums are not stored. `is_whole`: the part is within the
    /// depth, and can be read 8 elements at a time.
    template <bool is_whole, int cache, class Operand>
    KG_DEVICE void load(const Operand& operand, int64_t line, int64_t end, int64_t k, uint32_t (&to)[4]) {
        line = line < end ? line : end - 1;
        if constexpr (is_whole) {
            read_words<cache, 4>(operand.load.address(line, k), to);
        } else {
            KG_UNROLL
            for (int word = 0; word < 4; ++word) {
                const int64_t d = k + 2 * word;
                const uint32_t low = d < depth_ ? to_storage<Storage>(operand.load(line, d)).code : 0;
                const uint32_t high = d + 1 < depth_ ? to_storage<Storage>(operand.load(line, d + 1)).code : 0;
                to[word] = low | high << 16;
            }
        }
    }
    template <bool is_whole, class Left, class Right>
    KG_DEVICE void load_part(const ProductTile& tile, const Left& left, const Right& right, int64_t k, Loaded& to) {
        static_assert(Left::along_depth && Right::along_depth);
        const int lane = thread_index() % 32;
        k += lane % 4 * 8;
        KG_UNROLL
        for (int i = 0; i < 2 * line_groups; ++i)
            load<is_whole, cache_streaming>(right, tile.column + 8 * i + lane / 4, n_, k, to.lines[i]);
        KG_UNROLL
        for (int i = 0; i < row_groups; ++i)
            load<is_whole, cache_default>(left, tile.row + 8 * i + lane / 4, m_, k, to.rows[i]);
    }
    static KG_DEVICE void multiply(const Loaded& loaded, Sums& sums) {
        KG_UNROLL
        for (int half = 0; half < 4; half += 2) {
            KG_UNROLL
            for (int l = 0; l < line_groups; ++l) {
                const auto& low = loaded.lines[2 * l];
                const auto& high = loaded.lines[2 * l + 1];
                const uint32_t lines[4] = {low[half], high[half], low[half + 1], high[half + 1]};
                KG_UNROLL
                for (int r = 0; r < row_groups; ++r)
                    mma<is_bfloat>(sums[l][r], lines, loaded.rows[r][half], loaded.rows[r][half + 1]);
            }
        }
    }

    /// The sums of warps, of each element one after the other, in the launch's shared memory.
    static KG_DEVICE float* shared_sums() { return reinterpret_cast<float*>(launched_shared_memory()); }
    static KG_DEVICE void put(const Sums& sums) {
        const int warp = thread_index() / 32, lane = thread_index() % 32;
        KG_UNROLL
        for (int l = 0; l < line_groups; ++l) {
            KG_UNROLL
            for (int r = 0; r < row_groups; ++r) {
                KG_UNROLL
                for (int i = 0; i < 4; ++i) {
                    const int line = 16 * l + lane / 4 + i / 2 * 8, row = 8 * r + lane % 4 * 2 + i % 2;
                    shared_sums()[(warp * block_m + row) * block_n + line] = sums[l][r][i];
                }
            }
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
        Sums sums = {};
        // Warps take parts beside one another, so that together they read lines of the caches whole.
        constexpr int step = warps * part;
        int64_t k = thread_index() / 32 * part;
        if constexpr (is_matrix_of<decltype(left.load), Storage> && is_matrix_of<decltype(right.load), Storage>) {
            const bool has_pieces = has_whole_pieces<Storage>(left.load) && has_whole_pieces<Storage>(right.load);
            for (; has_pieces && k + (stages - 1) * step + part <= depth_; k += stages * step) {
                Loaded loaded[stages];
                KG_UNROLL
                for (int stage = 0; stage < stages; ++stage)
                    load_part<true>(tile, left, right, k + stage * step, loaded[stage]);
                KG_UNROLL
                for (int stage = 0; stage < stages; ++stage) multiply(loaded[stage], sums);
            }
        }
        for (; k < depth_; k += step) {
            Loaded loaded;
            load_part<false>(tile, left, right, k, loaded);
            multiply(loaded, sums);
        }
        put(sums);
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

// SPDX-License-Identifier: Apache-2.0
// Products of two operands in any arithmetic, a tile a block: a part of the depth of both operands lies in shared memory,
// and each thread adds up a small tile of sums in its registers. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// The product of a tile, by `warps` warps, in the arithmetic T. `is_launched`: the launch gives the shared memory.
template <class T, int block_m, int block_n, int block_k, int warps, bool is_launched>
class PlainProducts {
    static constexpr int threads = 32 * warps;
    static constexpr int threads_along_row = 16, threads_along_column = threads / threads_along_row;
    static constexpr int rows = block_m / threads_along_column, columns = block_n / threads_along_row;  // of a thread
    static constexpr int pack = columns % 4 == 0 ? 4 : columns % 2 == 0 ? 2 : 1;  // columns that lie together
    static_assert(rows * threads_along_column == block_m && columns * threads_along_row == block_n);

    template <int lines>
    struct Part {
        static constexpr int distance = lines + 4;  // so that a column's elements lie in different banks
        T values[block_k * distance];
    };
    struct Shared {
        Part<block_m> left;
        Part<block_n> right;
    };

    /// The elements of a part that this thread moves.
    template <int lines>
    struct Moved {
        static constexpr int count = (lines * block_k + threads - 1) / threads;
        T values[count];
    };

    /// Calls visit(i, line, k) for this thread's elements, in the order of the operand's memory.
    template <int lines, bool along_depth, class Visit>
    static KG_DEVICE void each_element(const Visit& visit) {
        KG_UNROLL
        for (int i = 0; i < Moved<lines>::count; ++i) {
            const int element = thread_index() + i * threads;
            if (lines * block_k % threads != 0 && element >= lines * block_k) continue;
            if constexpr (along_depth) visit(i, element / block_k, element % block_k);
            else visit(i, element % lines, element / lines);
        }
    }
    /// `is_whole`: all elements of the part exist.
    template <bool is_whole, int lines, class Operand>
    static KG_DEVICE void read(const Operand& operand, int64_t line, int64_t end, int64_t k, int64_t depth,
                               Moved<lines>& moved) {
        each_element<lines, Operand::along_depth>([&](int i, int l, int d) {
            const bool exists = is_whole || (line + l < end && k + d < depth);
            moved.values[i] = exists ? T(operand.load(line + l, k + d)) : T(0);
        });
    }
    /// Reads the parts of both operands from k on.
    template <class Left, class Right>
    KG_DEVICE void read_both(const ProductTile& tile, const Left& left, const Right& right, int64_t k,
                             Moved<block_m>& next_left, Moved<block_n>& next_right) const {
        if (tile.row + block_m <= m_ && tile.column + block_n <= n_ && k + block_k <= depth_) {
            read<true>(left, tile.row, m_, k, depth_, next_left);
            read<true>(right, tile.column, n_, k, depth_, next_right);
        } else {
            read<false>(left, tile.row, m_, k, depth_, next_left);
            read<false>(right, tile.column, n_, k, depth_, next_right);
        }
    }
    template <class Operand, int lines>
    static KG_DEVICE void place(const Moved<lines>& moved, Part<lines>& part) {
        each_element<lines, Operand::along_depth>(
            [&](int i, int l, int d) { part.values[d * Part<lines>::distance + l] = moved.values[i]; });
    }

    static KG_DEVICE int row_of_thread() { return thread_index() / threads_along_row * rows; }
    static KG_DEVICE int column_of_thread(int c) {
        return c / pack * (threads_along_row * pack) + thread_index() % threads_along_row * pack + c % pack;
    }

    static KG_DEVICE void add_products(const Shared& shared, T (&sums)[rows][columns]) {
        KG_UNROLL
        for (int k = 0; k < block_k; ++k) {
            T left[rows], right[columns];
            KG_UNROLL
            for (int r = 0; r < rows; ++r) left[r] = shared.left.values[k * Part<block_m>::distance + row_of_thread() + r];
            KG_UNROLL
            for (int c = 0; c < columns; ++c)
                right[c] = shared.right.values[k * Part<block_n>::distance + column_of_thread(c)];
            KG_UNROLL
            for (int r = 0; r < rows; ++r) {
                KG_UNROLL
                for (int c = 0; c < columns; ++c) sums[r][c] += left[r] * right[c];
            }
        }
    }

    static KG_DEVICE Shared& shared_memory() {
        if constexpr (is_launched) return *reinterpret_cast<Shared*>(launched_shared_memory());
        else return in_shared_memory<Shared>();
    }

    int64_t m_, n_, depth_;

public:
    /// Calls visit(products, tile) for each of the block's tiles, in which products.compute(tile, …) is called. Warps
    /// that would copy for tensor cores have nothing to do.
    template <class Tiles, class Visit>
    static KG_DEVICE void each_tile(Tiles tiles, int64_t depth, const Visit& visit) {
        PlainProducts products;
        products.m_ = tiles.rows(), products.n_ = tiles.columns(), products.depth_ = depth;
        for (; thread_index() < threads && tiles.any(); tiles.next()) visit(products, tiles.tile());
    }

    /// Stores epilogue(i, j, product), an element of each output, for row i and column j of the matrix. The next part of
    /// the operands is read while one is multiplied.
    template <class Left, class Right, class Outputs, class Epilogue>
    KG_DEVICE void compute(const ProductTile& tile, const Left& left, const Right& right, const Outputs& outputs,
                           const Epilogue& epilogue) {
        Shared& shared = shared_memory();
        Moved<block_m> next_left;
        Moved<block_n> next_right;
        T sums[rows][columns] = {};
        read_both(tile, left, right, 0, next_left, next_right);
        for (int64_t k = 0; k < depth_; k += block_k) {
            place<Left>(next_left, shared.left);
            place<Right>(next_right, shared.right);
            barrier_of_threads<threads>();
            if (k + block_k < depth_) read_both(tile, left, right, k + block_k, next_left, next_right);
            add_products(shared, sums);
            barrier_of_threads<threads>();
        }
        KG_UNROLL
        for (int r = 0; r < rows; ++r) {
            const int64_t i = tile.row + row_of_thread() + r;
            KG_UNROLL
            for (int c = 0; c < columns; ++c) {
                const int64_t j = tile.column + column_of_thread(c);
                if (i < m_ && j < n_) store_each(outputs, epilogue(i, j, sums[r][c]), i * n_ + j);
            }
        }
    }
};

}  // namespace kg

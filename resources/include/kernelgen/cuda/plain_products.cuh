// SPDX-License-Identifier: Apache-2.0
// Products of two operands in any arithmetic, a tile a block: a part of the depth of both operands lies in shared memory,
// and each thread adds up a small tile of sums in its registers. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// The product of a tile, by `warps` warps, in the arithmetic T. `is_launched`: the launch gives the shared memory. Of
/// `split` blocks with the same tile the first one computes it.
template <class T, int block_m, int block_n, int block_k, int warps, bool is_launched, int split = 1>
class PlainProducts {
    static constexpr int threads = 32 * warps;
    static constexpr int threads_along_row = 16, threads_along_column = threads / threads_along_row;
    static constexpr int rows = block_m / threads_along_column, columns = block_n / threads_along_row;  // of a thread
    static constexpr int pack = columns % 4 == 0 ? 4 : columns % 2 == 0 ? 2 : 1;  // columns that lie together
    static_assert(rows * threads_along_column == block_m && columns * threads_along_row == block_n);

    template <int lines>
    struct alignas(16) Part {
        static constexpr int distance = lines + 4;  // so that a column's elements lie in different banks
        T values[block_k * distance];
    };
    struct Shared {
        Part<block_m> left;
        Part<block_n> right;
    };

    /// Elements that lie together and are moved at once: 16 bytes of a matrix in memory that has the arithmetic's type.
    template <class Operand>
    static constexpr int vector = is_matrix_of<decltype(Operand::load), T> ? 16 / static_cast<int>(sizeof(T)) : 1;
    template <int count>
    struct alignas(count * sizeof(T)) Vector {
        T each[count];
    };

    /// The elements of a part that this thread moves.
    template <int lines, class Operand>
    struct Moved {
        static constexpr int together = vector<Operand>, all = lines * block_k / together;
        static constexpr int count = (all + threads - 1) / threads;
        Vector<together> values[count];
    };

    /// Calls visit(i, line, k) for the first elements of this thread's vectors, in the order of the operand's memory.
    template <int lines, class Operand, class Visit>
    static KG_DEVICE void each_vector(const Visit& visit) {
        using Own = Moved<lines, Operand>;
        KG_UNROLL
        for (int i = 0; i < Own::count; ++i) {
            const int number = thread_index() + i * threads, element = number * Own::together;
            if (Own::all % threads != 0 && number >= Own::all) continue;
            if constexpr (Operand::along_depth) visit(i, element / block_k, element % block_k);
            else visit(i, element % lines, element / lines);
        }
    }
    /// `is_whole`: all elements of the part exist. `by_vectors`: they can be read at once, too.
    template <bool is_whole, bool by_vectors, int lines, class Operand>
    KG_DEVICE void read(const Operand& operand, int64_t line, int64_t end, int64_t k,
                        Moved<lines, Operand>& moved) const {
        each_vector<lines, Operand>([&](int i, int l, int d) {
            using Together = Vector<vector<Operand>>;
            if constexpr (by_vectors) {
                moved.values[i] = *reinterpret_cast<const Together*>(operand.load.address(line + l, k + d));
            } else {
                KG_UNROLL
                for (int e = 0; e < vector<Operand>; ++e) {
                    const int64_t own_line = line + l + (Operand::along_depth ? 0 : e);
                    const int64_t own_k = k + d + (Operand::along_depth ? e : 0);
                    const bool exists = is_whole || (own_line < end && own_k < depth_);
                    moved.values[i].each[e] = exists ? T(operand.load(own_line, own_k)) : T(0);
                }
            }
        });
    }
    template <int lines, class Operand>
    KG_DEVICE void read_part(const Operand& operand, int64_t line, int64_t end, int64_t k,
                             Moved<lines, Operand>& moved) const {
        if (line + lines > end || k + block_k > depth_) return read<false, false>(operand, line, end, k, moved);
        if constexpr (vector<Operand> > 1) {
            if (has_whole_pieces<T>(operand.load)) return read<true, true>(operand, line, end, k, moved);
        }
        read<true, false>(operand, line, end, k, moved);
    }
    /// Reads the parts of both operands from k on.
    template <class Left, class Right>
    KG_DEVICE void read_both(const ProductTile& tile, const Left& left, const Right& right, int64_t k,
                             Moved<block_m, Left>& next_left, Moved<block_n, Right>& next_right) const {
        read_part(left, tile.row, m_, k, next_left);
        read_part(right, tile.column, n_, k, next_right);
    }
    template <int lines, class Operand>
    static KG_DEVICE void place(const Moved<lines, Operand>& moved, Part<lines>& part) {
        each_vector<lines, Operand>([&](int i, int l, int d) {
            T* const to = part.values + d * Part<lines>::distance + l;
            if constexpr (!Operand::along_depth) {
                *reinterpret_cast<Vector<vector<Operand>>*>(to) = moved.values[i];
            } else {
                KG_UNROLL
                for (int e = 0; e < vector<Operand>; ++e) to[e * Part<lines>::distance] = moved.values[i].each[e];
            }
        });
    }

    /// Reads elements that lie together in shared memory, 16 bytes at once where they are so many.
    template <int count>
    static KG_DEVICE void read_shared(const T* from, T* to) {
        constexpr int most = 16 / static_cast<int>(sizeof(T)), together = count % most == 0 ? most : count % 2 == 0 ? 2 : 1;
        KG_UNROLL
        for (int i = 0; i < count; i += together) {
            const auto values = *reinterpret_cast<const Vector<together>*>(from + i);
            KG_UNROLL
            for (int e = 0; e < together; ++e) to[i + e] = values.each[e];
        }
    }

    static KG_DEVICE int row_of_thread() { return thread_index() / threads_along_row * rows; }
    static KG_DEVICE int column_of_thread(int c) {
        return c / pack * (threads_along_row * pack) + thread_index() % threads_along_row * pack + c % pack;
    }

    static KG_DEVICE void add_products(const Shared& shared, T (&sums)[rows][columns]) {
        KG_UNROLL
        for (int k = 0; k < block_k; ++k) {
            T left[rows], right[columns];
            read_shared<rows>(shared.left.values + k * Part<block_m>::distance + row_of_thread(), left);
            KG_UNROLL
            for (int c = 0; c < columns; c += pack)
                read_shared<pack>(shared.right.values + k * Part<block_n>::distance + column_of_thread(c), right + c);
            KG_UNROLL
            for (int r = 0; r < rows; ++r) {
                KG_UNROLL
                for (int at = 0; at < columns; ++at) {
                    const int c = r % 2 == 0 ? at : columns - 1 - at;  // back and forth: what was read last is read again
                    sums[r][c] += left[r] * right[c];
                }
            }
        }
    }

    /// Two where there is memory for them: one is written while others still read the other one.
    static constexpr int buffers = !is_launched && 2 * sizeof(Shared) <= 49152 ? 2 : 1;
    struct Buffers {
        Shared each[buffers];
    };
    static KG_DEVICE Buffers& shared_memory() {
        if constexpr (is_launched) return *reinterpret_cast<Buffers*>(launched_shared_memory());
        else return in_shared_memory<Buffers>();
    }

    int64_t m_, n_, depth_;

public:
    /// Calls visit(products, tile) for each of the block's tiles, in which products.compute(tile, …) is called. Warps
    /// that would copy for tensor cores have nothing to do.
    template <class Tiles, class Visit>
    static KG_DEVICE void each_tile(Tiles tiles, int64_t depth, const Visit& visit) {
        if (block_index() % split != 0) return;
        PlainProducts products;
        products.m_ = tiles.rows(), products.n_ = tiles.columns(), products.depth_ = depth;
        for (; thread_index() < threads && tiles.any(); tiles.next()) visit(products, tiles.tile());
    }

    /// Stores epilogue(i, j, product), an element of each output, for row i and column j of the matrix. The next part of
    /// the operands is read while one is multiplied.
    template <class Left, class Right, class Outputs, class Epilogue>
    KG_DEVICE void compute(const ProductTile& tile, const Left& left, const Right& right, const Outputs& outputs,
                           const Epilogue& epilogue) {
        Buffers& shared = shared_memory();
        Moved<block_m, Left> next_left;
        Moved<block_n, Right> next_right;
        T sums[rows][columns] = {};
        read_both(tile, left, right, 0, next_left, next_right);
        int turn = 0;
        for (int64_t k = 0; k < depth_; k += block_k) {
            Shared& part = shared.each[turn];
            place(next_left, part.left);
            place(next_right, part.right);
            barrier_of_threads<threads>();
            if (k + block_k < depth_) read_both(tile, left, right, k + block_k, next_left, next_right);
            add_products(part, sums);
            if constexpr (buffers == 1) barrier_of_threads<threads>();
            else turn ^= 1;
        }
        if constexpr (buffers > 1) barrier_of_threads<threads>();
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

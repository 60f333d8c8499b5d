// SPDX-License-Identifier: Apache-2.0
// Products of two operands of 16 or 8 bits by tensor cores, a tile a block: parts of the depth of both operands are on
// their way to shared memory while others are multiplied, by wgmma or by mma. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// How the warps of a block share a tile: each has fragments of 16 rows and 8 columns.
template <bool of_wgmma, int block_m, int block_n, int warps>
struct FragmentsOf {
    static constexpr int groups = warps / 4, group_rows = block_m / 64 < groups ? block_m / 64 : groups;
    static constexpr int group_columns = groups / group_rows;
    static constexpr int count = block_m / 64 / group_rows;  // of fragments of a warp below one another
    static constexpr int columns = block_n / group_columns;  // of a warp
    static KG_DEVICE int group() { return thread_index() / 128 % groups; }
    static KG_DEVICE int first_row() { return group() / group_columns * count * 64; }
    static KG_DEVICE int first_column() { return group() % group_columns * columns; }
    static KG_DEVICE int row(int fragment) {
        return first_row() + 64 * fragment + thread_index() / 32 % 4 * 16;
    }
};
template <int block_m, int block_n, int warps>
struct FragmentsOf<false, block_m, block_n, warps> {
    /// Warps below one another: such that the part of a warp is about square.
    static constexpr int warp_rows = [] {
        int best = 1;
        for (int each = 1; each <= warps && block_m / each >= 16; each *= 2) {
            const bool fits = block_n / (warps / each) >= 16;
            const bool is_better = block_m / each + block_n / (warps / each) < block_m / best + block_n / (warps / best);
            if (fits && (is_better || block_n / (warps / best) < 16)) best = each;
        }
        return best;
    }();
    static constexpr int warp_columns = warps / warp_rows;
    static constexpr int count = block_m / warp_rows / 16, columns = block_n / warp_columns;
    static KG_DEVICE int first_row() { return thread_index() / 32 / warp_columns * count * 16; }
    static KG_DEVICE int first_column() { return thread_index() / 32 % warp_columns * columns; }
    static KG_DEVICE int row(int fragment) { return first_row() + 16 * fragment; }
};

template <class Element>
inline constexpr ElementKind kind_of = [] {
    static_assert(sizeof(Element) == 0, "tensor cores take no such elements");
    return ElementKind{};
}();
template <>
inline constexpr ElementKind kind_of<kg_f16> = ElementKind::f16;
template <>
inline constexpr ElementKind kind_of<kg_bf16> = ElementKind::bf16;
template <>
inline constexpr ElementKind kind_of<kg_f8e4m3> = ElementKind::e4m3;
template <>
inline constexpr ElementKind kind_of<kg_f8e5m2> = ElementKind::e5m2;

/// Products of tiles whose operands have Elements (ElementsOf) of 16 bits, or with wgmma of 8, by `warps` warps; `stages`
/// parts of the depth lie in the launch's shared memory. `copy_warps`: 4 more warps, of which one thread begins bulk copies; 0
/// where the warps copy. The `cluster` blocks of a cluster share the right operand's parts, or its `split` blocks the depth.
template <class Elements, int block_m, int block_n, int block_k, int warps, int stages, int copy_warps, int cluster,
          int split>
class TensorProducts {
    using LeftElement = typename ElementsOf<Elements>::Left;
    using RightElement = typename ElementsOf<Elements>::Right;
    static constexpr int size = sizeof(LeftElement);  // bytes of an element
    static constexpr int piece = 16 / size, panel = 128 / size;  // elements in 16 bytes, and in a row of a panel
    static_assert(sizeof(RightElement) == size);
    /// Tensor cores add products of 8 bits more coarsely than float: their sums of so many are added in float.
    static constexpr int promoted = 128;
    static constexpr bool promotes = size == 1;
    static constexpr bool has_copy_warps = has_wgmma && copy_warps > 0;
    static constexpr int threads = 32 * warps;  // that multiply
    static constexpr bool is_bfloat = is_same<LeftElement, kg_bf16>;
    /// Parts on their way. With wgmma, one is multiplied while the one before ends.
    static constexpr int ahead = has_wgmma ? stages - 2 : stages - 1;
    static_assert(ahead >= 1, "wgmma needs 3 stages, mma 2");
    static_assert(block_m % 64 == 0 && block_n % 64 == 0 && block_k % panel == 0);
    using Fragments = FragmentsOf<has_wgmma, block_m, block_n, warps>;
    static constexpr int count = Fragments::count, columns = Fragments::columns;
    using Depth = SplitDepth<split, block_k, count, columns, threads>;
    static_assert(cluster == 1 || split == 1);
    /// Of a warp: `columns / 8` fragments beside one another.
    using Sums = float[count][columns / 2];

    static constexpr int left_bytes = block_m * block_k * size, stage_bytes = left_bytes + block_n * block_k * size;
    static_assert(!Depth::is_shared || Depth::bytes <= stages * stage_bytes, "sums on their way lie where stages did");
    static constexpr int staging_bytes = warps * StoredFragments<columns>::bytes_of_warp;

    /// A part of an operand: panels of rows of 128 bytes (SwizzledMatrix).
    template <int lines, bool along_depth>
    struct Part {
        static constexpr int rows = along_depth ? lines : block_k;
        static constexpr int panel_bytes = rows * 128, pieces = lines * block_k / piece;

        /// The rows from `line` and `k` on.
        static KG_DEVICE SwizzledMatrix from(const unsigned char* data, int line, int k) {
            const int offset = along_depth ? k / panel * panel_bytes + line * 128 + k % panel * size
                                           : line / panel * panel_bytes + k * 128 + line % panel * size;
            return {data + offset, panel_bytes};
        }
    };

    /// A piece of 16 bytes: where it lies in a part, and its line and k from the part's first ones on.
    struct Piece {
        int place, line, k;
    };
    template <int lines, bool along_depth>
    static KG_DEVICE Piece piece_of(int number) {
        using Shape = Part<lines, along_depth>;
        const int row = number / 8 % Shape::rows, along = number / (8 * Shape::rows) * panel + number % 8 * piece;
        return {swizzled(number * 16), along_depth ? row : along, along_depth ? along : row};
    }
    /// Begins to write a part of an operand, from `line` and `k` on. Lines from `end` on are zeros, and so is what lies
    /// behind the depth.
    template <int lines, class Element, class Operand>
    KG_DEVICE void fill(unsigned char* part, const Operand& operand, bool copies, int64_t line, int64_t end, int64_t k) {
        using Shape = Part<lines, Operand::along_depth>;
        static_assert(Shape::pieces % threads == 0);
        KG_UNROLL
        for (int i = 0; i < Shape::pieces / threads; ++i) {
            const Piece each = piece_of<lines, Operand::along_depth>(thread_index() + i * threads);
            fill_piece<Element>(part + each.place, operand, copies, line + each.line, end, k + each.k);
        }
    }
    template <class Element, class Operand>
    KG_DEVICE void fill_piece(unsigned char* to, const Operand& operand, bool copies, int64_t line, int64_t end,
                              int64_t k) {
        if constexpr (is_matrix_of<decltype(operand.load), Element>) {
            const bool exists = line < end && k < depth_;
            if (copies)
                return copy_or_clear_in_shared(to, exists ? operand.load.address(line, k) : operand.load.data, exists);
        } else if constexpr (is_patches_of<decltype(operand.load), Element>) {
            if (copies) {
                const Element* const from = line < end && k < depth_ ? operand.load.address(line, k) : nullptr;
                return copy_or_clear_in_shared(to, from == nullptr ? operand.load.data : from, from != nullptr);
            }
        }
        gather_piece<Element>(to, operand, line, end, k);
    }
    /// Writes a part by the copying warps, element by element.
    template <int lines, class Element, class Operand>
    KG_DEVICE void gather(unsigned char* part, const Operand& operand, int64_t line, int64_t end, int64_t k) {
        for (int number = thread_index() - threads; number < Part<lines, Operand::along_depth>::pieces;
             number += 32 * copy_warps) {
            const Piece each = piece_of<lines, Operand::along_depth>(number);
            gather_piece<Element>(part + each.place, operand, line + each.line, end, k + each.k);
        }
    }
    template <class Element, class Operand>
    KG_DEVICE void gather_piece(unsigned char* to, const Operand& operand, int64_t line, int64_t end, int64_t k) {
        uint32_t words[4] = {};
        KG_UNROLL
        for (int e = 0; e < piece; ++e) {
            const int64_t l = line + (Operand::along_depth ? 0 : e), d = k + (Operand::along_depth ? e : 0);
            const uint32_t code = l < end && d < depth_ ? to_storage<Element>(operand.load(l, d)).code : 0;
            words[e * size / 4] |= code << (e * size % 4 * 8);
        }
        KG_UNROLL
        for (int word = 0; word < 4; ++word) reinterpret_cast<uint32_t*>(to)[word] = words[word];
    }

    /// Begins to compute the products of `depth` places from `k` on and `wide` columns from `column` of a warp on, for
    /// its fragments `f`; adds them to sums, or to 0.
    template <class Left, class Right, int wide>
    static KG_DEVICE void begin_products(const unsigned char* left, const unsigned char* right, int f, int column, int k,
                                         int depth, bool adds, float (&sums)[wide / 2]) {
        using LeftPart = Part<block_m, Left::along_depth>;
        using RightPart = Part<block_n, Right::along_depth>;
        KG_UNROLL
        for (int i = 0; i < depth; i += 32 / size)
            wgmma<kind_of<LeftElement>, kind_of<RightElement>, wide, Left::along_depth, Right::along_depth>(
                sums, LeftPart::from(left, Fragments::first_row() + 64 * f, k + i),
                RightPart::from(right, Fragments::first_column() + column, k + i), adds || i > 0);
    }
    /// Begins to add the products of a stage; those of 8 bits are added when it returns.
    template <class Left, class Right>
    static KG_DEVICE void multiply_by_wgmma(const unsigned char* left, const unsigned char* right, bool is_first,
                                            Sums& sums) {
        if constexpr (promotes) return multiply_and_promote<Left, Right>(left, right, sums);
        begin_wgmma();
        KG_UNROLL
        for (int k = 0; k < block_k; k += 16) {
            KG_UNROLL
            for (int f = 0; f < count; ++f)
                begin_products<Left, Right, columns>(left, right, f, 0, k, 16, !is_first || k > 0, sums[f]);
        }
        end_of_wgmma();
        wait_for_wgmma<1>();
    }
    /// Half of 256 columns at a time: registers hold all sums, and those that tensor cores compute. They hold the left
    /// operand, too, so that it is read from shared memory once for all columns.
    template <class Left, class Right>
    static KG_DEVICE void multiply_and_promote(const unsigned char* left, const unsigned char* right, Sums& sums) {
        constexpr int wide = columns < 128 ? columns : 128;
        KG_UNROLL
        for (int k = 0; k < block_k; k += promoted) {
            KG_UNROLL
            for (int f = 0; f < count; ++f) {
                uint32_t rows[promoted / 32][4];
                KG_UNROLL
                for (int i = 0; i < promoted / 32; ++i)
                    ldmatrix<false>(rows[i], row_of_lane<Part<block_m, true>, true, true>(left, Fragments::row(f),
                                                                                          k + 32 * i));
                KG_UNROLL
                for (int column = 0; column < columns; column += wide) {
                    float some[wide / 2];
                    begin_wgmma();
                    KG_UNROLL
                    for (int i = 0; i < promoted / 32; ++i)
                        wgmma_of_registers<kind_of<LeftElement>, kind_of<RightElement>, wide>(
                            some, rows[i],
                            Part<block_n, true>::from(right, Fragments::first_column() + column, k + 32 * i), i > 0);
                    end_of_wgmma();
                    wait_for_wgmma<0>();
                    keep_in_order(some);
                    KG_UNROLL
                    for (int i = 0; i < wide / 2; ++i) sums[f][column / 2 + i] += some[i];
                }
            }
        }
    }

    /// Where this lane's row of the four matrices begins that ldmatrix loads for 16 lines and 16 of the depth. Of the
    /// left operand, the second matrix has the next lines; of the right one, the next of the depth.
    template <class Shape, bool along_depth, bool is_left>
    static KG_DEVICE const unsigned char* row_of_lane(const unsigned char* part, int line, int k) {
        const int lane = thread_index() % 32, second = lane / 8 % 2, third = lane / 16;
        int l = line + 8 * (is_left ? second : third), d = k + piece * (is_left ? third : second);
        (along_depth ? l : d) += lane % 8;
        const unsigned char* const place = Shape::from(part, l, d).data;
        return part + swizzled(static_cast<int>(place - part));
    }
    template <class Left, class Right>
    static KG_DEVICE void multiply_by_mma(const unsigned char* left, const unsigned char* right, Sums& sums) {
        KG_UNROLL
        for (int k = 0; k < block_k; k += 16) {
            uint32_t rows[count][4], lines[columns / 16][4];
            KG_UNROLL
            for (int f = 0; f < count; ++f)
                ldmatrix<!Left::along_depth>(
                    rows[f], row_of_lane<Part<block_m, Left::along_depth>, Left::along_depth, true>(
                                 left, Fragments::row(f), k));
            KG_UNROLL
            for (int c = 0; c < columns / 16; ++c)
                ldmatrix<!Right::along_depth>(
                    lines[c], row_of_lane<Part<block_n, Right::along_depth>, Right::along_depth, false>(
                                  right, Fragments::first_column() + 16 * c, k));
            KG_UNROLL
            for (int f = 0; f < count; ++f) {
                KG_UNROLL
                for (int c = 0; c < columns / 8; ++c)
                    mma<is_bfloat>(reinterpret_cast<float(&)[4]>(sums[f][4 * c]), rows[f], lines[c / 2][c % 2 * 2],
                                   lines[c / 2][c % 2 * 2 + 1]);
            }
        }
    }

    static KG_DEVICE void clear(Sums& sums) {
        KG_UNROLL
        for (int f = 0; f < count; ++f) {
            KG_UNROLL
            for (int i = 0; i < columns / 2; ++i) sums[f][i] = 0;
        }
    }

    /// Adds the products of a tile, where the block's threads copy the operands.
    template <class Left, class Right>
    KG_DEVICE void multiply(const ProductTile& tile, const Left& left, const Right& right, Sums& sums) {
        const bool copies_left = has_whole_pieces<LeftElement>(left.load);
        const bool copies_right = has_whole_pieces<RightElement>(right.load);
        const auto fill_stage = [&](int stage, int64_t k) {
            unsigned char* const data = shared_ + stage * stage_bytes;
            if (k < range_.end) {
                fill<block_m, LeftElement>(data, left, copies_left, tile.row, m_, k);
                fill<block_n, RightElement>(data + left_bytes, right, copies_right, tile.column, n_, k);
            }
            end_of_group_of_copies();
        };
        for (int stage = 0; stage < ahead; ++stage) fill_stage(stage, range_.begin + int64_t{stage} * block_k);
        int stage = 0, next = ahead;
        for (int64_t k = range_.begin; k < range_.end; k += block_k) {
            wait_for_copies<ahead - 1>();
            if constexpr (has_wgmma) publish_to_wgmma();
            barrier_of_threads<threads>();
            const unsigned char* const data = shared_ + stage * stage_bytes;
            if constexpr (has_wgmma) multiply_by_wgmma<Left, Right>(data, data + left_bytes, k == range_.begin, sums);
            else multiply_by_mma<Left, Right>(data, data + left_bytes, sums);
            fill_stage(next, k + int64_t{ahead} * block_k);
            stage = stage + 1 == stages ? 0 : stage + 1;
            next = next + 1 == stages ? 0 : next + 1;
        }
        if constexpr (has_wgmma) wait_for_wgmma<0>();
        wait_for_copies<0>();
        barrier_of_threads<threads>();
    }

    /// Where the multiprocessor's registers, shared evenly, would be too few for the sums.
    static constexpr bool exchanges_registers = has_copy_warps && copy_warps == 4 && warps == 8;

    /// By one thread: begins to copy a part of an operand. Of one that `blocks` blocks of the cluster share, each copies
    /// its rows to all of them.
    template <int lines, int blocks, class Element, class Operand>
    static KG_DEVICE void copy_part(unsigned char* part, const Operand& operand, CopyBarrier& barrier, int64_t batch,
                                    int64_t line, int64_t k) {
        using Shape = Part<lines, Operand::along_depth>;
        constexpr int axes = axes_of_boxes<decltype(operand.load), Element>;
        constexpr int rows = Shape::rows / blocks;
        static_assert(rows % 8 == 0, "a box begins at a multiple of 1,024 bytes");
        const int first = static_cast<int>(block_index() % blocks) * rows;
        const auto& boxes = operand.load.boxes;
        for (int number = 0; number < Shape::pieces / 8 / Shape::rows; ++number) {
            unsigned char* const to = part + number * Shape::panel_bytes + first * 128;
            if constexpr (axes == 4) {
                copy_box_of_four<blocks>(to, *boxes.map, barrier, boxes.place(line + first, k + panel * number));
            } else {
                const auto column = static_cast<int>((Operand::along_depth ? k : line) + panel * number);
                const auto row = static_cast<int>(Operand::along_depth ? line : k) + first;
                copy_box<axes, blocks>(to, *boxes.map, barrier, column, row, static_cast<int>(batch));
            }
        }
    }
    /// By one thread: copies the operands of a tile, as far ahead as there are stages.
    template <class Left, class Right>
    KG_DEVICE void copy(const ProductTile& tile, const Left& left, const Right& right) {
        for (int64_t k = range_.begin; k < range_.end; k += block_k, stage_.advance()) {
            stages_->wait_until_read(stage_);
            unsigned char* const data = shared_ + stage_.number * stage_bytes;
            CopyBarrier& written = stages_->written[stage_.number];
            arrive_and_expect(written, stage_bytes);
            copy_part<block_m, 1, LeftElement>(data, left, written, tile.batch, tile.row, k);
            copy_part<block_n, cluster, RightElement>(data + left_bytes, right, written, tile.batch, tile.column, k);
        }
    }
    /// As `copy`, by all threads of the copying warps, where the copy engine cannot read an operand.
    template <class Left, class Right>
    KG_DEVICE void gather_stages(const ProductTile& tile, const Left& left, const Right& right) {
        for (int64_t k = range_.begin; k < range_.end; k += block_k, stage_.advance()) {
            stages_->wait_until_read(stage_);
            unsigned char* const data = shared_ + stage_.number * stage_bytes;
            gather<block_m, LeftElement>(data, left, tile.row, m_, k);
            gather<block_n, RightElement>(data + left_bytes, right, tile.column, n_, k);
            publish_to_wgmma();
            barrier_of_threads<32 * copy_warps>();
            if (thread_index() == threads) arrive(stages_->written[stage_.number]);
        }
    }
    /// Adds the products of a tile whose operands are copied by `copy`.
    template <class Left, class Right>
    KG_DEVICE void multiply_copied(Sums& sums) {
        Stage before = stage_;
        for (int64_t k = range_.begin; k < range_.end; k += block_k) {
            stages_->wait_until_written(stage_);
            const unsigned char* const data = shared_ + stage_.number * stage_bytes;
            multiply_by_wgmma<Left, Right>(data, data + left_bytes, k == range_.begin, sums);
            // The stage before is read; that of the tile before was so at its end.
            if (promotes || k > range_.begin) stages_->release(promotes ? stage_ : before);
            before = stage_;
            stage_.advance();
        }
        wait_for_wgmma<0>();
        if (!promotes && range_.begin < range_.end) stages_->release(before);
    }

    using Stages = CopiedStages<stages, warps, cluster>;
    using Stage = StageInTurn<stages>;
    static_assert(sizeof(Stages) <= 192, "what the launch's shared memory has for it");

    int64_t m_, n_, depth_;
    DepthRange range_;       ///< of this block
    unsigned char* shared_;  ///< stages, then the staging of results, then the barriers
    Stages* stages_ = nullptr;
    Stage stage_;  ///< that this thread copies or multiplies next

    /// The depth is at least 1.
    KG_DEVICE TensorProducts(int64_t m, int64_t n, int64_t depth)
        : m_(m), n_(n), depth_(depth), range_(Depth::range(depth)), shared_(launched_shared_memory()) {
        shared_ += (1024 - reinterpret_cast<uint64_t>(shared_) % 1024) % 1024;
        if constexpr (has_copy_warps) {
            stages_ = reinterpret_cast<Stages*>(shared_ + stages * stage_bytes + staging_bytes);
            if (thread_index() == 0) stages_->make();
            if constexpr (cluster * split == 1) block_barrier();
            else barrier_of_cluster();
        }
    }

    template <class Operand, class Element>
    static constexpr bool has_boxes = axes_of_boxes<decltype(Operand::load), Element> > 0;

    /// What `each_tile` gives to the copying warps.
    struct Copying {
        TensorProducts& products;
        template <class Left, class Right, class Outputs, class Epilogue>
        KG_DEVICE void compute(const ProductTile& tile, const Left& left, const Right& right, const Outputs&,
                               const Epilogue&) {
            begin(tile, left, right);
            if constexpr (Depth::is_shared) Depth::wait_for_exchange();
        }
        template <class Left, class Right>
        KG_DEVICE void begin(const ProductTile& tile, const Left& left, const Right& right) {
            if constexpr (has_boxes<Left, LeftElement> && has_boxes<Right, RightElement>) {
                if (can_copy(left.load.boxes) && can_copy(right.load.boxes)) {
                    if (thread_index() == threads) products.copy(tile, left, right);
                    return;
                }
            }
            products.gather_stages(tile, left, right);
        }
    };

public:
    /// Calls visit(products, tile) for each of the block's tiles, in which products.compute(tile, …) is called.
    template <class Tiles, class Visit>
    static KG_DEVICE void each_tile(Tiles tiles, int64_t depth, const Visit& visit) {
        if (Depth::is_idle()) return;
        TensorProducts products(tiles.rows(), tiles.columns(), depth);
        if (copy_warps > 0 && thread_index() >= threads) {
            if constexpr (has_copy_warps) {
                if constexpr (exchanges_registers) give_registers<40>();
                Copying copying{products};
                for (; tiles.any(); tiles.next()) visit(copying, tiles.tile());
            }
        } else {
            if constexpr (exchanges_registers) take_registers<232>();
            for (; tiles.any(); tiles.next()) visit(products, tiles.tile());
        }
        // No block may end while others of the cluster write to its memory.
        if constexpr (has_copy_warps && cluster > 1) barrier_of_cluster();
    }

    /// Stores epilogue(i, j, product), an element of each output, for row i and column j of the matrix.
    template <class Left, class Right, class Outputs, class Epilogue>
    KG_DEVICE void compute(const ProductTile& tile, const Left& left, const Right& right, const Outputs& outputs,
                           const Epilogue& epilogue) {
        Sums sums;
        if constexpr (!has_wgmma || promotes || Depth::is_shared) clear(sums);
        if constexpr (has_copy_warps) multiply_copied<Left, Right>(sums);
        else multiply(tile, left, right, sums);
        if constexpr (Depth::is_shared) Depth::exchange(sums, reinterpret_cast<float*>(shared_));
        constexpr int own = Depth::own_columns;
        const int64_t column = tile.column + Fragments::first_column() + Depth::first_column();
        KG_UNROLL
        for (int f = 0; f < count; ++f)
            StoredFragments<own>::store(rows_of_lines(left.load, {tile.row + Fragments::row(f), column, m_, n_}),
                                        reinterpret_cast<const float(&)[own / 2]>(sums[f]), outputs, epilogue,
                                        shared_ + stages * stage_bytes);
    }
};

}  // namespace kg

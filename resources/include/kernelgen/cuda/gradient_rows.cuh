// SPDX-License-Identifier: Apache-2.0
// What is done for tiles of rows before and after TensorGradients adds to their sums.
#pragma once

namespace kg {

/// Tiles of `block_m` rows of heads of at most `head` elements; `warps` warps add. A block has 256 threads.
template <class Element, int block_m, int head, int warps>
class GradientRowTiles {
    static constexpr int threads = 256;
    using Shares = GradientShares<block_m, head, warps>;
    using Sums = GradientSums<block_m, head>;
    using Piece = Pack<Element, 8>;

    struct Shared {
        alignas(16) Element rows[block_m][head + 8];
    };

public:
    /// Clears the sums of the block's tile, and computes the statistics of its rows. A row with a log-sum-exp of −∞ has
    /// weights of 0. Heads have a multiple of 8 elements.
    template <class LogSum>
    static KG_DEVICE void begin(float* workspace, int64_t rows, int64_t heads, int64_t size, const Element* outputs,
                                const Element* gradients, const LogSum& log_sum) {
        const int tiles_of_head = tiles_of_rows<block_m>(rows);
        const Sums sums{workspace, tiles_of_head * heads};
        const int64_t tile = block_index(), of_head = tile / tiles_of_head;
        const uint32_t zeros[4] = {};
        for (int i = 4 * thread_index(); i < Sums::tile_floats; i += 4 * threads)
            write_words<cache_default, 4>(sums.of_tile(tile) + i, zeros);
        if (thread_index() < 4) *sums.turn(tile, thread_index()) = 0;
        if (tile == 0 && thread_index() == 0) *sums.counters() = 0;
        constexpr int lanes = 16;
        for (int line = thread_index() / lanes; line < block_m; line += threads / lanes) {
            const int64_t row = tile % tiles_of_head * block_m + line, place = of_head * rows + row;
            float delta = 0;
            for (int64_t d = thread_index() % lanes * 8; row < rows && d < size; d += 8 * lanes) {
                Piece output, gradient;
                output.template load<cache_streaming>(outputs + place * size + d);
                gradient.template load<cache_streaming>(gradients + place * size + d);
                KG_UNROLL
                for (int e = 0; e < 8; ++e)
                    delta += output.template value<float>(e) * gradient.template value<float>(e);
            }
            delta = over_lanes<Sum>(delta, lanes);
            if (thread_index() % lanes != 0) continue;
            const float lse = row < rows ? log_sum(place) : -infinity<float>;
            sums.statistics(tile)[line] = lse == -infinity<float> ? lse : -lse * log2_e;
            sums.statistics(tile)[block_m + line] = delta;
        }
    }

    /// Stores the sums of the block's tile, times `scale`.
    static KG_DEVICE void finish(float* workspace, int64_t rows, int64_t heads, int64_t size, float scale, Element* to) {
        const int tiles_of_head = tiles_of_rows<block_m>(rows);
        const Sums sums{workspace, tiles_of_head * heads};
        const int64_t tile = block_index(), of_head = tile / tiles_of_head, first = tile % tiles_of_head * block_m;
        Shared& shared = in_shared_memory<Shared>();
        for (int i = thread_index(); i < Sums::tile_floats / 4; i += threads) {
            const int thread = i % (32 * warps), group = thread / 128, lane = thread % 32;
            const int each = i / (32 * warps), in_panel = Shares::own_rows / 8;  // 8 rows at a time
            const int d = (Shares::first_panel(group) + each / in_panel) * 64 + thread / 32 % 4 * 16 + lane / 4;
            const int row = Shares::first_row(group) + each % in_panel * 8 + lane % 4 * 2;
            uint32_t words[4];
            read_words<cache_streaming, 4>(sums.of_tile(tile) + 4 * i, words);
            KG_UNROLL
            for (int e = 0; e < 4; ++e)
                shared.rows[row + e % 2][d + e / 2 * 8] = to_storage<Element>(bits_as<float>(words[e]) * scale);
        }
        block_barrier();
        for (int i = thread_index(); i < block_m * (head / 8); i += threads) {
            const int64_t row = first + i / (head / 8), d = i % (head / 8) * 8;
            if (row >= rows || d >= size) continue;
            write_words<cache_default, 4>(to + (of_head * rows + row) * size + d,
                                          reinterpret_cast<const uint32_t*>(&shared.rows[i / (head / 8)][d]));
        }
    }
};

}  // namespace kg

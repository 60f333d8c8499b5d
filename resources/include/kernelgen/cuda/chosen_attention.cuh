// SPDX-License-Identifier: Apache-2.0
// Which way attention is computed.
#pragma once

namespace kg {

/// By the plain kernel, tile after tile, for any processor. Where the tiles are made for tensor cores (`is_large`), 64 rows
/// and 32 columns of them at a time, by four or eight of the block's warps, in the launch's shared memory.
template <class T, int block_m, int block_n, int head, int warps, bool is_large>
struct PlainAttentionTiles {
    static constexpr int own_warps = is_large ? (warps < 8 ? 4 : 8) : warps, rows = is_large ? 64 : block_m;
    using Block = PlainAttention<T, rows, (is_large ? 32 : block_n), head, own_warps, is_large>;

    template <class Tiles, class Make>
    static KG_DEVICE void compute(Tiles tiles, const Make& make, float*) {
        if (thread_index() >= 32 * own_warps) return;
        for (; tiles.any(); tiles.next()) {
            const auto of = make(tiles.head());
            for (int64_t row = tiles.row(); row < tiles.row() + block_m && row < of.rows; row += rows)
                Block::attend({row, of.rows}, of.columns, of.queries.size, of.queries, of.keys, of.values, of.seen,
                              of.logit, NoDropout{}, of.output, of.lse);
        }
    }
};

enum class AttentionWay { plain, tiles, decode };

template <AttentionWay way, class Element, class T, int block_m, int block_n, int head, int warps, int stages,
          int query_stages, int copy_warps, bool takes_turns, bool is_uniform>
struct ChosenAttention {
    using Type = PlainAttentionTiles<T, block_m, block_n, head, warps, (copy_warps > 0)>;
};
template <class Element, class T, int block_m, int block_n, int head, int warps, int stages, int query_stages,
          int copy_warps, bool takes_turns, bool is_uniform>
struct ChosenAttention<AttentionWay::tiles, Element, T, block_m, block_n, head, warps, stages, query_stages, copy_warps,
                       takes_turns, is_uniform> {
    using Type = TensorAttention<Element, block_m, block_n, head, warps, stages, query_stages, takes_turns>;
};
template <class Element, class T, int block_m, int block_n, int head, int warps, int stages, int query_stages,
          int copy_warps, bool takes_turns, bool is_uniform>
struct ChosenAttention<AttentionWay::decode, Element, T, block_m, block_n, head, warps, stages, query_stages,
                       copy_warps, takes_turns, is_uniform> {
    using Type = DecodeAttention<Element, block_m, block_n, head, warps, stages, is_uniform>;
};

/// By tensor cores where elements have 16 bits and the processor has the instructions: for few queries mma, for tiles of
/// many wgmma, which copying warps serve; of elements of 8 bits for tiles.
template <class Element, class T, int copy_warps, int decode>
inline constexpr AttentionWay attention_way =
    sizeof(Element) > 2 || !is_same<T, float>   ? AttentionWay::plain
    : decode != 0                               ? (has_mma ? AttentionWay::decode : AttentionWay::plain)
    : copy_warps > 0 && has_wgmma               ? AttentionWay::tiles
                                                : AttentionWay::plain;

template <class Element, class T, int block_m, int block_n, int head, int warps, int stages, int query_stages,
          int copy_warps, bool takes_turns, bool is_uniform>
    requires(sizeof(Element) == 1)
struct ChosenAttention<AttentionWay::tiles, Element, T, block_m, block_n, head, warps, stages, query_stages, copy_warps,
                       takes_turns, is_uniform> {
    using Type = ByteAttention<Element, block_m, block_n, head, warps, stages, query_stages, takes_turns>;
};

/// Attention of heads whose elements are Elements, in T.
template <class Element, class T, int block_m, int block_n, int head, int warps, int stages, int query_stages,
          int copy_warps, int takes_turns, int decode, bool is_uniform>
using Attention =
    typename ChosenAttention<attention_way<Element, T, copy_warps, decode>, Element, T, block_m, block_n, head, warps,
                             stages, query_stages, copy_warps, (takes_turns != 0), is_uniform>::Type;

}  // namespace kg

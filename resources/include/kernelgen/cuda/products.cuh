// SPDX-License-Identifier: Apache-2.0
// Which way products of a tile are computed.
#pragma once

namespace kg {

template <class Operand>
inline constexpr bool has_16_bits = is_same<Operand, kg_f16> || is_same<Operand, kg_bf16>;

/// A pair of formats of 8 bits, which lie along the depth: tensor cores of sm_90a take them. One format by itself is no
/// such pair: it may be the case's dtype, of which the definition does not say that sums are coarse.
template <class Operand>
inline constexpr bool has_8_bits = false;
template <class Left, class Right>
inline constexpr bool has_8_bits<Pair<Left, Right>> = sizeof(Left) == 1 && sizeof(Right) == 1;

enum class ProductWay { plain, tiles_by_tensor_cores, few_rows_by_tensor_cores };

template <class Operand, class T, int block_m>
inline constexpr ProductWay way_of_products = [] {
    if (has_8_bits<Operand>)
        return has_wgmma && is_same<T, float> ? ProductWay::tiles_by_tensor_cores : ProductWay::plain;
    if (!has_mma || !has_16_bits<Operand>) return ProductWay::plain;
    return block_m > 16 ? ProductWay::tiles_by_tensor_cores : ProductWay::few_rows_by_tensor_cores;
}();

template <ProductWay way, class Operand, class T, int block_m, int block_n, int block_k, int warps, int stages,
          int copy_warps, int cluster, int split>
struct ChosenProducts {
    // Where an architecture has no tensor cores for a tile that is made for them, a part of the depth is shorter, and
    // lies in the memory that the launch has for them.
    static constexpr bool is_made_for_them = has_16_bits<Operand> || has_8_bits<Operand>;
    using Type = PlainProducts<T, block_m, block_n, (is_made_for_them && block_k > 16 ? 16 : block_k), warps,
                               is_made_for_them, split>;
};
template <class Operand, class T, int block_m, int block_n, int block_k, int warps, int stages, int copy_warps,
          int cluster, int split>
struct ChosenProducts<ProductWay::tiles_by_tensor_cores, Operand, T, block_m, block_n, block_k, warps, stages,
                      copy_warps, cluster, split> {
    using Type = TensorProducts<Operand, block_m, block_n, block_k, warps, stages, copy_warps, cluster, split>;
};
template <class Operand, class T, int block_m, int block_n, int block_k, int warps, int stages, int copy_warps,
          int cluster, int split>
struct ChosenProducts<ProductWay::few_rows_by_tensor_cores, Operand, T, block_m, block_n, block_k, warps, stages,
                      copy_warps, cluster, split> {
    using Type = FewRowProducts<Operand, block_m, block_n, warps, stages>;
};

/// Products of operands whose elements are those of an Operand, in T: by tensor cores where elements have 16 or 8 bits and
/// the processor has instructions for them, otherwise in the plain way.
template <class Operand, class T, int block_m, int block_n, int block_k, int warps, int stages = 1,
          int copy_warps = 0, int cluster = 1, int split = 1>
using Products = typename ChosenProducts<way_of_products<Operand, T, block_m>, Operand, T, block_m, block_n, block_k,
                                         warps, stages, copy_warps, cluster, split>::Type;

}  // namespace kg

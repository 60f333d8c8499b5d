// SPDX-License-Identifier: Apache-2.0
// In place of kernelgen/cuda/described_products.cuh. Operands, those in registers too, are read when the products are
// waited for.
#pragma once

#include "matrix_instructions.h"

namespace kg {

struct Described {
    SwizzledMatrix matrix;
    Described at(int bytes) const { return {{matrix.data + bytes, matrix.panel_bytes}}; }
};
inline Described described(const SwizzledMatrix& matrix) { return {matrix}; }

template <ElementKind kind>
inline constexpr int depth_of_product = kind <= ElementKind::bf16 ? 16 : 32;

template <ElementKind kind, int n, bool left_along_lines = false, bool right_along_lines = false>
inline void multiply_described(float (&sums)[n / 2], Described left, Described right, bool adds_to_sums) {
    wgmma<kind, kind, n, !left_along_lines, !right_along_lines>(sums, left.matrix, right.matrix, adds_to_sums);
}

/// Element k of a row of the left operand, whose words are in the registers of the four lanes that share the row.
template <ElementKind kind>
inline float element_of_lanes(const uint32_t* const (&words)[4], int half, int k) {
    if constexpr (kind <= ElementKind::bf16) {
        return half_of < kind == ElementKind::bf16 > (words[k % 8 / 2][k / 8 * 2 + half], k % 2);
    } else {
        const uint32_t word = words[k % 16 / 4][k / 16 * 2 + half];
        return float_of_byte<ElementKind::e4m3>(static_cast<uint8_t>(word >> (8 * (k % 4))));
    }
}

template <ElementKind kind, int n, bool adds_to_sums = true>
inline void multiply_from_registers(float (&sums)[n / 2], const uint32_t* left, Described right) {
    constexpr int depth = depth_of_product<kind>;
    constexpr bool is_coarse = kind > ElementKind::bf16;
    const double* const lanes = of_all_lanes(static_cast<double>(reinterpret_cast<uintptr_t>(left)));
    const int first = thread_index() % 32 / 4 * 4, lane = thread_index() % 4;
    const uint32_t* words[4];
    for (int i = 0; i < 4; ++i) words[i] = reinterpret_cast<const uint32_t*>(static_cast<uintptr_t>(lanes[first + i]));
    float* const own = sums;
    begun_products[kg_emulated::current].back().push_back([=] {
        for (int i = 0; i < n / 2; ++i) {
            const int column = i / 4 * 8 + lane * 2 + i % 2;
            float terms[depth + 1] = {adds_to_sums ? own[i] : 0.0f};
            for (int k = 0; k < depth; ++k)
                terms[k + 1] =
                    element_of_lanes<kind>(words, i / 2 % 2, k) * element<kind, is_coarse>(right.matrix, column, k);
            own[i] = is_coarse ? coarse_sum(terms, depth + 1) : std::accumulate(terms, terms + depth + 1, 0.0f);
        }
    });
}

}  // namespace kg

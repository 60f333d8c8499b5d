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

template <ElementKind kind, int n, bool left_along_lines = false, bool right_along_lines = false>
inline void multiply_described(float (&sums)[n / 2], Described left, Described right, bool adds_to_sums) {
    wgmma<kind, kind, n, !left_along_lines, !right_along_lines>(sums, left.matrix, right.matrix, adds_to_sums);
}

/// The elements of a lane's rows are in the registers of the four lanes that share them.
template <ElementKind kind, int n>
inline void multiply_from_registers(float (&sums)[n / 2], const uint32_t* left, Described right) {
    const double* const lanes = of_all_lanes(static_cast<double>(reinterpret_cast<uintptr_t>(left)));
    const int first = thread_index() % 32 / 4 * 4, lane = thread_index() % 4;
    const uint32_t* words[4];
    for (int i = 0; i < 4; ++i) words[i] = reinterpret_cast<const uint32_t*>(static_cast<uintptr_t>(lanes[first + i]));
    float* const own = sums;
    begun_products[kg_emulated::current].back().push_back([=] {
        for (int i = 0; i < n / 2; ++i) {
            const int column = i / 4 * 8 + lane * 2 + i % 2;
            for (int k = 0; k < 16; ++k) {
                const uint32_t word = words[k % 8 / 2][k / 8 * 2 + i / 2 % 2];
                own[i] +=
                    half_of < kind == ElementKind::bf16 > (word, k % 2) * element<kind, false>(right.matrix, column, k);
            }
        }
    });
}

}  // namespace kg

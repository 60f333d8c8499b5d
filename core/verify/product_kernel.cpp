// SPDX-License-Identifier: Apache-2.0
#include "core/verify/product_kernel.h"

namespace kernelgen {

namespace {

constexpr int vector_doubles = 8;
constexpr int vectors = ProductTile::columns / vector_doubles;
typedef double Vector __attribute__((vector_size(vector_doubles * sizeof(double)), aligned(8), may_alias));
typedef long long Bits __attribute__((vector_size(vector_doubles * sizeof(double))));

// A tile stays in registers: with AVX-512 sixteen for the sums and magnitudes, and a few for the operands. The
// compiler lowers the vectors to what the function's target has.
[[gnu::always_inline]] inline void add(const double* left, const double* right, std::int64_t depth, ProductTile& tile) {
    Vector sums[ProductTile::rows][vectors], magnitudes[ProductTile::rows][vectors];
    for (int i = 0; i < ProductTile::rows; ++i) {
        for (int v = 0; v < vectors; ++v) {
            sums[i][v] = *reinterpret_cast<const Vector*>(tile.sums[i] + v * vector_doubles);
            magnitudes[i][v] = *reinterpret_cast<const Vector*>(tile.magnitudes[i] + v * vector_doubles);
        }
    }
    const Bits all_but_sign = Bits{} + 0x7fffffffffffffff;
    for (std::int64_t k = 0; k < depth; ++k, left += ProductTile::rows, right += ProductTile::columns) {
        for (int v = 0; v < vectors; ++v) {
            const Vector b = *reinterpret_cast<const Vector*>(right + v * vector_doubles);
            const Vector b_magnitude = (Vector)((Bits)b & all_but_sign);
            for (int i = 0; i < ProductTile::rows; ++i) {
                sums[i][v] += left[i] * b;
                magnitudes[i][v] += __builtin_fabs(left[i]) * b_magnitude;
            }
        }
    }
    for (int i = 0; i < ProductTile::rows; ++i) {
        for (int v = 0; v < vectors; ++v) {
            *reinterpret_cast<Vector*>(tile.sums[i] + v * vector_doubles) = sums[i][v];
            *reinterpret_cast<Vector*>(tile.magnitudes[i] + v * vector_doubles) = magnitudes[i][v];
        }
    }
}

using Add = void (*)(const double*, const double*, std::int64_t, ProductTile&);

void add_anywhere(const double* left, const double* right, std::int64_t depth, ProductTile& tile) {
    add(left, right, depth, tile);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void add_with_avx2(const double* left, const double* right, std::int64_t depth,
                                               ProductTile& tile) {
    add(left, right, depth, tile);
}

[[gnu::target("avx512f,avx512dq,prefer-vector-width=512")]] void add_with_avx512(const double* left,
                                                                                 const double* right,
                                                                                 std::int64_t depth,
                                                                                 ProductTile& tile) {
    add(left, right, depth, tile);
}

Add widest() {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return add_with_avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? add_with_avx2 : add_anywhere;
}
#else
Add widest() { return add_anywhere; }
#endif

}  // namespace

void add_products(const double* left, const double* right, std::int64_t depth, ProductTile& tile) {
    static const Add chosen = widest();
    chosen(left, right, depth, tile);
}

}  // namespace kernelgen

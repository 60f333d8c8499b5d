// SPDX-License-Identifier: Apache-2.0
// The instructions of tensor cores for elements of 16 and 8 bits, with sums in float: mma, by the 32 threads of a warp, of
// operands of 16 bits in registers (sm_80 and later), and wgmma, by the 128 threads of a warpgroup, of operands in shared
// memory (sm_90a). PTX ISA, "Matrix instructions".
#pragma once

#include "kernelgen/cuda/sum_operands.cuh"

namespace kg {

/// Of operands: those of 16 bits come first.
enum class ElementKind { f16, bf16, e4m3, e5m2 };

inline constexpr bool has_mma = architecture >= 800;
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr bool has_wgmma = true;
#else
inline constexpr bool has_wgmma = false;
#endif

/// Where 16 bytes at `offset` of a panel lie: rows of 128 bytes, in which the pieces of 16 bytes are exchanged so that
/// neither 8 rows nor 8 pieces of one lie in the same banks. A panel begins at a multiple of 1,024 bytes. It is the
/// 128-byte swizzle of wgmma and of the bulk copies.
KG_DEVICE int swizzled(int offset) { return offset ^ ((offset >> 3) & 0x70); }

/// A matrix in swizzled panels in shared memory, from `data` on, in the first row of a panel. Rows are lines, with 128
/// bytes of the depth each, or places of the depth, with 64 lines of 16 bits each; then the next 64 lines are in the next
/// panel.
struct SwizzledMatrix {
    const unsigned char* data;
    int panel_bytes;
};

/// Makes this thread's writes to shared memory visible to wgmma.
KG_DEVICE void publish_to_wgmma() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}
KG_DEVICE void warp_barrier() { __syncwarp(); }

/// Loads four matrices of 8×8 elements, for mma; the rows of matrix i begin at `row` in lanes 8 i to 8 i + 7. A lane
/// gets two neighbours in row lane / 4 of each matrix; with `transposed`, in column lane / 4.
template <bool transposed>
KG_DEVICE void ldmatrix(uint32_t (&to)[4], const void* row) {
#if __CUDA_ARCH__ >= 800
    const uint32_t there = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    if constexpr (transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(there)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(there)
                     : "memory");
#endif
}

/// Stores four matrices of 8×8 elements that lanes have as mma does, each column in a row; the rows of matrix i begin at
/// `row` in lanes 8 i to 8 i + 7.
KG_DEVICE void stmatrix_transposed(void* row, const uint32_t* from) {
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(row))),
                 "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
                 : "memory");
#endif
}

/// Adds the product of 16×16 elements of the left and 16×8 of the right operand. A lane has the sums of rows lane / 4
/// and 8 more, in columns lane % 4 · 2 and the next.
template <bool is_bfloat>
KG_DEVICE void mma(float (&sums)[4], const uint32_t (&left)[4], uint32_t right_low, uint32_t right_high) {
#if __CUDA_ARCH__ >= 800
#define KG_MMA(type)                                                                               \
    asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type                                     \
        ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                     \
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])                               \
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right_low), "r"(right_high))
    if constexpr (is_bfloat) KG_MMA("bf16");
    else KG_MMA("f16");
#undef KG_MMA
#endif
}

/// By all warps of a warpgroup: leaves it `count` registers a thread, a multiple of 8, for others to take.
template <int count>
KG_DEVICE void give_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
#endif
}
/// Waits until there are so many.
template <int count>
KG_DEVICE void take_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
#endif
}

// Between begin_wgmma and the end_of_wgmma after it stand calls of wgmma; the sums may be read after wait_for_wgmma.
KG_DEVICE void begin_wgmma() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
KG_DEVICE void end_of_wgmma() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}
/// Waits until at most `groups` of those that were ended last are at work.
template <int groups>
KG_DEVICE void wait_for_wgmma() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
#endif
}

/// Sums that are read only behind the wait before, or were written before the fence that follows: a compiler knows of no
/// tie between them.
template <int count>
KG_DEVICE void keep_in_order([[maybe_unused]] float (&sums)[count]) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    KG_UNROLL
    for (int i = 0; i < count; ++i) asm volatile("" : "+f"(sums[i])::"memory");
#endif
}

/// The descriptor of a swizzled matrix (PTX ISA, "Matrix descriptor"): its place, how far the next panel and the next 8
/// rows are, all in units of 16 bytes, and the swizzle of 128 bytes.
KG_DEVICE uint64_t descriptor(const SwizzledMatrix& matrix) {
    const auto place = static_cast<uint32_t>(__cvta_generic_to_shared(matrix.data));
    return (place >> 4 & 0x3fff) | static_cast<uint64_t>(matrix.panel_bytes >> 4) << 16 | uint64_t{1024 >> 4} << 32 |
           uint64_t{1} << 62;
}

// `kinds` are the depth of an instruction and the types; `operands` the numbers of the two descriptors and, for 16 bits, of
// the two flags that say which operand lies along its lines.
#define KG_WGMMA(n, kinds, registers, operands, adds, ...)                                                               \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " adds ", 0;\nwgmma.mma_async.sync.aligned.m64n" #n kinds " {"    \
                 registers "}, " operands ";\n}"                                                                        \
                 : __VA_ARGS__                                                                                          \
                 : "l"(descriptor(left)), "l"(descriptor(right)), "n"(left_along_depth ? 0 : 1),                        \
                   "n"(right_along_depth ? 0 : 1), "r"(static_cast<int>(adds_to_sums)))
#define KG_WGMMA_OF_TYPES(n, registers, descriptors, flags, adds, ...)                                                   \
    if constexpr (left_kind == ElementKind::bf16)                                                                               \
        KG_WGMMA(n, "k16.f32.bf16.bf16", registers, descriptors ", add, 1, 1, " flags, adds, __VA_ARGS__);              \
    else if constexpr (left_kind == ElementKind::f16)                                                                           \
        KG_WGMMA(n, "k16.f32.f16.f16", registers, descriptors ", add, 1, 1, " flags, adds, __VA_ARGS__);                \
    else if constexpr (left_kind == ElementKind::e4m3 && right_kind == ElementKind::e4m3)                                           \
        KG_WGMMA(n, "k32.f32.e4m3.e4m3", registers, descriptors ", add, 1, 1", adds, __VA_ARGS__);                      \
    else if constexpr (left_kind == ElementKind::e4m3)                                                                        \
        KG_WGMMA(n, "k32.f32.e4m3.e5m2", registers, descriptors ", add, 1, 1", adds, __VA_ARGS__);                      \
    else if constexpr (right_kind == ElementKind::e4m3)                                                                       \
        KG_WGMMA(n, "k32.f32.e5m2.e4m3", registers, descriptors ", add, 1, 1", adds, __VA_ARGS__);                      \
    else KG_WGMMA(n, "k32.f32.e5m2.e5m2", registers, descriptors ", add, 1, 1", adds, __VA_ARGS__)

/// Adds the product of 64 rows of the left operand, `n` columns of the right one, and 32 bytes of the depth, to sums, or
/// to 0 where `adds_to_sums` is false. Warp w of the warpgroup has the sums of rows 16 w to 16 w + 15, in pieces of 16×8
/// as mma. Operands of 8 bits lie along the depth.
template <ElementKind left_kind, ElementKind right_kind, int n, bool left_along_depth, bool right_along_depth>
KG_DEVICE void wgmma(float (&sums)[n / 2], const SwizzledMatrix& left, const SwizzledMatrix& right,
                     bool adds_to_sums) {
    static_assert(n == 64 || n == 128 || n == 256);
    static_assert(left_kind <= ElementKind::bf16 || (left_along_depth && right_along_depth));
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    if constexpr (n == 64) {
#define KG_REGISTERS KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2) ", %30, %31"
        KG_WGMMA_OF_TYPES(64, KG_REGISTERS, "%32, %33", "%34, %35", "%36", KG_32_SUMS(0));
#undef KG_REGISTERS
    } else if constexpr (n == 128) {
#define KG_REGISTERS \
    KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2) ", " KG_TEN(3) ", " KG_TEN(4) ", " KG_TEN(5) ", %60, %61, %62, %63"
#define KG_SUMS KG_32_SUMS(0), KG_32_SUMS(32)
        KG_WGMMA_OF_TYPES(128, KG_REGISTERS, "%64, %65", "%66, %67", "%68", KG_SUMS);
#undef KG_SUMS
#undef KG_REGISTERS
    } else {
#define KG_REGISTERS                                                                                        \
    KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2) ", " KG_TEN(3) ", " KG_TEN(4) ", " KG_TEN(5) ", " KG_TEN(6) ", " \
    KG_TEN(7) ", " KG_TEN(8) ", " KG_TEN(9) ", " KG_TEN(10) ", " KG_TEN(11) ", "                            \
    "%120, %121, %122, %123, %124, %125, %126, %127"
#define KG_SUMS KG_32_SUMS(0), KG_32_SUMS(32), KG_32_SUMS(64), KG_32_SUMS(96)
        KG_WGMMA_OF_TYPES(256, KG_REGISTERS, "%128, %129", "%130, %131", "%132", KG_SUMS);
#undef KG_SUMS
#undef KG_REGISTERS
    }
#endif
}
#undef KG_WGMMA_OF_TYPES
#undef KG_WGMMA
#define KG_WGMMA(n, kinds, registers, operands, adds, ...)                                                              \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " adds ", 0;\nwgmma.mma_async.sync.aligned.m64n" #n "k32.f32."    \
                 kinds " {" registers "}, " operands ", add, 1, 1;\n}"                                                   \
                 : __VA_ARGS__                                                                                          \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(descriptor(right)),                      \
                   "r"(static_cast<int>(adds_to_sums)))
#define KG_WGMMA_OF_TYPES(n, registers, operands, adds, ...)                                                            \
    if constexpr (left_kind == ElementKind::e4m3 && right_kind == ElementKind::e4m3)                                     \
        KG_WGMMA(n, "e4m3.e4m3", registers, operands, adds, __VA_ARGS__);                                               \
    else if constexpr (left_kind == ElementKind::e4m3)                                                                  \
        KG_WGMMA(n, "e4m3.e5m2", registers, operands, adds, __VA_ARGS__);                                               \
    else if constexpr (right_kind == ElementKind::e4m3)                                                                 \
        KG_WGMMA(n, "e5m2.e4m3", registers, operands, adds, __VA_ARGS__);                                               \
    else KG_WGMMA(n, "e5m2.e5m2", registers, operands, adds, __VA_ARGS__)

/// As wgmma of 8 bits, with the left operand in registers, as mma has its rows: a lane has four neighbours of the depth in
/// each word. They may be written again when the products are there.
template <ElementKind left_kind, ElementKind right_kind, int n>
KG_DEVICE void wgmma_of_registers(float (&sums)[n / 2], const uint32_t (&left)[4], const SwizzledMatrix& right,
                                  bool adds_to_sums) {
    static_assert(n == 64 || n == 128);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    if constexpr (n == 64) {
#define KG_REGISTERS KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2) ", %30, %31"
        KG_WGMMA_OF_TYPES(64, KG_REGISTERS, "{%32, %33, %34, %35}, %36", "%37", KG_32_SUMS(0));
#undef KG_REGISTERS
    } else {
#define KG_REGISTERS \
    KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2) ", " KG_TEN(3) ", " KG_TEN(4) ", " KG_TEN(5) ", %60, %61, %62, %63"
#define KG_SUMS KG_32_SUMS(0), KG_32_SUMS(32)
        KG_WGMMA_OF_TYPES(128, KG_REGISTERS, "{%64, %65, %66, %67}, %68", "%69", KG_SUMS);
#undef KG_SUMS
#undef KG_REGISTERS
    }
#endif
}
#undef KG_WGMMA_OF_TYPES
#undef KG_WGMMA

}  // namespace kg

// SPDX-License-Identifier: Apache-2.0
// wgmma for attention: scores, of two operands in shared memory that lie along the depth, and sums of values, of which the
// left operand is in registers. The right one lies along its lines with 16 bits, along the depth with 8. PTX ISA, "Matrix
// instructions".
#pragma once

#include "kernelgen/cuda/sum_operands.cuh"

namespace kg {

/// The descriptor of a swizzled matrix, which is made once for all instructions that read the matrix. at(bytes) is that of
/// what begins so many bytes later, as the next part of the depth does.
struct Described {
    uint64_t word;
    KG_DEVICE Described at(int bytes) const { return {word + static_cast<uint64_t>(bytes >> 4)}; }
};
KG_DEVICE Described described(const SwizzledMatrix& matrix) { return {descriptor(matrix)}; }

/// How many columns the right operand of an instruction here may have.
template <int n>
inline constexpr bool has_described_width = n == 32 || (n % 16 == 0 && n >= 64 && n <= 192) || n == 256;

// clang-format off
#define KG_30 KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2)
#define KG_40 KG_30 ", " KG_TEN(3)
#define KG_50 KG_40 ", " KG_TEN(4)
#define KG_60 KG_50 ", " KG_TEN(5)
#define KG_70 KG_60 ", " KG_TEN(6)
#define KG_80 KG_70 ", " KG_TEN(7)
#define KG_90 KG_80 ", " KG_TEN(8)
#define KG_120 KG_90 ", " KG_TEN(9) ", " KG_TEN(10) ", " KG_TEN(11)
/// For each width: the registers of its sums, the numbers of the six operands behind them, and the sums.
#define KG_EACH_WIDTH(ISSUE)                                                                                      \
    ISSUE(32, KG_TEN() ", %10, %11, %12, %13, %14, %15", "%16", "%17", "%18", "%19", "%20", "%21", KG_16_SUMS(0)) \
    ISSUE(64, KG_30 ", %30, %31", "%32", "%33", "%34", "%35", "%36", "%37", KG_32_SUMS(0))                        \
    ISSUE(80, KG_40, "%40", "%41", "%42", "%43", "%44", "%45", KG_32_SUMS(0), KG_8_SUMS(32))                      \
    ISSUE(96, KG_40 ", %40, %41, %42, %43, %44, %45, %46, %47", "%48", "%49", "%50", "%51", "%52", "%53",         \
          KG_32_SUMS(0), KG_16_SUMS(32))                                                                          \
    ISSUE(112, KG_50 ", %50, %51, %52, %53, %54, %55", "%56", "%57", "%58", "%59", "%60", "%61", KG_32_SUMS(0),   \
          KG_16_SUMS(32), KG_8_SUMS(48))                                                                          \
    ISSUE(128, KG_60 ", %60, %61, %62, %63", "%64", "%65", "%66", "%67", "%68", "%69", KG_32_SUMS(0),             \
          KG_32_SUMS(32))                                                                                         \
    ISSUE(144, KG_70 ", %70, %71", "%72", "%73", "%74", "%75", "%76", "%77", KG_32_SUMS(0), KG_32_SUMS(32),       \
          KG_8_SUMS(64))                                                                                          \
    ISSUE(160, KG_80, "%80", "%81", "%82", "%83", "%84", "%85", KG_32_SUMS(0), KG_32_SUMS(32), KG_16_SUMS(64))    \
    ISSUE(176, KG_80 ", %80, %81, %82, %83, %84, %85, %86, %87", "%88", "%89", "%90", "%91", "%92", "%93",        \
          KG_32_SUMS(0), KG_32_SUMS(32), KG_16_SUMS(64), KG_8_SUMS(80))                                           \
    ISSUE(192, KG_90 ", %90, %91, %92, %93, %94, %95", "%96", "%97", "%98", "%99", "%100", "%101", KG_32_SUMS(0), \
          KG_32_SUMS(32), KG_32_SUMS(64))                                                                         \
    ISSUE(256, KG_120 ", %120, %121, %122, %123, %124, %125, %126, %127", "%128", "%129", "%130", "%131", "%132", \
          "%133", KG_32_SUMS(0), KG_32_SUMS(32), KG_32_SUMS(64), KG_32_SUMS(96))
// clang-format on

/// How far along the depth an instruction multiplies: 32 bytes.
template <ElementKind kind>
inline constexpr int depth_of_product = kind <= ElementKind::bf16 ? 16 : 32;

/// Adds the product of 64 rows of the left operand, `n` columns of the right one, and depth_of_product, to sums, or to 0
/// where `adds_to_sums` is false; as `wgmma`, between begin_wgmma and end_of_wgmma. Operands lie along the depth, or
/// those of 16 bits along their lines.
template <ElementKind kind, int n, bool left_along_lines = false, bool right_along_lines = false>
KG_DEVICE void multiply_described(float (&sums)[n / 2], Described left, Described right, bool adds_to_sums) {
    static_assert(has_described_width<n>);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define KG_ISSUE(width, types, flags, registers, a, b, adds, ...)                                                  \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " adds ", 0;\nwgmma.mma_async.sync.aligned.m64n" #width      \
                 types " {" registers "}, " a ", " b ", add, 1, 1" flags ";\n}"                                    \
                 : __VA_ARGS__                                                                                     \
                 : "l"(left.word), "l"(right.word), "r"(static_cast<int>(adds_to_sums)),                           \
                   "n"(left_along_lines ? 1 : 0), "n"(right_along_lines ? 1 : 0));
#define KG_OF_WIDTH(width, registers, a, b, c, d, e, f, ...)                                                       \
    if constexpr (n == width && kind == ElementKind::bf16)                                                         \
        KG_ISSUE(width, "k16.f32.bf16.bf16", ", " d ", " e, registers, a, b, c, __VA_ARGS__)                         \
    else if constexpr (n == width && kind == ElementKind::f16)                                                     \
        KG_ISSUE(width, "k16.f32.f16.f16", ", " d ", " e, registers, a, b, c, __VA_ARGS__)                           \
    else if constexpr (n == width && kind == ElementKind::e4m3)                                                    \
        KG_ISSUE(width, "k32.f32.e4m3.e4m3", "", registers, a, b, c, __VA_ARGS__)                                   \
    else if constexpr (n == width) KG_ISSUE(width, "k32.f32.e5m2.e5m2", "", registers, a, b, c, __VA_ARGS__)
    KG_EACH_WIDTH(KG_OF_WIDTH)
#undef KG_OF_WIDTH
#undef KG_ISSUE
#endif
}

/// The same product of a left operand in registers: a lane has those of mma, of 8 bits four neighbours of the depth in each
/// word. `kind` is that of the right operand; a left one of 8 bits is E4M3.
template <ElementKind kind, int n, bool adds_to_sums = true>
KG_DEVICE void multiply_from_registers(float (&sums)[n / 2], const uint32_t* left, Described right) {
    static_assert(has_described_width<n>);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define KG_ISSUE(width, types, adds, registers, a, b, c, d, e, ...)                                              \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #width types " {" registers "}, {" a ", " b ", " c ", " d   \
                 "}, " e ", " adds ";"                                                                           \
                 : __VA_ARGS__                                                                                   \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right.word));
#define KG_OF_WIDTH(width, registers, a, b, c, d, e, f, ...)                                                         \
    if constexpr (n == width && kind == ElementKind::bf16)                                                           \
        KG_ISSUE(width, "k16.f32.bf16.bf16", "1, 1, 1, 1", registers, a, b, c, d, e, __VA_ARGS__)                    \
    else if constexpr (n == width && kind == ElementKind::f16)                                                       \
        KG_ISSUE(width, "k16.f32.f16.f16", "1, 1, 1, 1", registers, a, b, c, d, e, __VA_ARGS__)                      \
    else if constexpr (n == width && kind == ElementKind::e4m3 && adds_to_sums)                                      \
        KG_ISSUE(width, "k32.f32.e4m3.e4m3", "1, 1, 1", registers, a, b, c, d, e, __VA_ARGS__)                       \
    else if constexpr (n == width && kind == ElementKind::e4m3)                                                      \
        KG_ISSUE(width, "k32.f32.e4m3.e4m3", "0, 1, 1", registers, a, b, c, d, e, __VA_ARGS__)                       \
    else if constexpr (n == width && adds_to_sums)                                                                   \
        KG_ISSUE(width, "k32.f32.e4m3.e5m2", "1, 1, 1", registers, a, b, c, d, e, __VA_ARGS__)                       \
    else if constexpr (n == width)                                                                                   \
        KG_ISSUE(width, "k32.f32.e4m3.e5m2", "0, 1, 1", registers, a, b, c, d, e, __VA_ARGS__)
    KG_EACH_WIDTH(KG_OF_WIDTH)
#undef KG_OF_WIDTH
#undef KG_ISSUE
#endif
}
#undef KG_EACH_WIDTH
#undef KG_120
#undef KG_90
#undef KG_80
#undef KG_70
#undef KG_60
#undef KG_50
#undef KG_40
#undef KG_30
// Those of sum_operands.cuh, which nothing behind needs.
#undef KG_32_SUMS
#undef KG_16_SUMS
#undef KG_8_SUMS
#undef KG_TEN

}  // namespace kg

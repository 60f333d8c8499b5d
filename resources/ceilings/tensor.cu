// SPDX-License-Identifier: Apache-2.0
// The rate of the tensor cores on operands that are not zero: a block of 128 threads does 2048 products of 64 x 128
// results, with k = 32 bytes of both operands, from shared memory. Hopper's own instruction where it is there (sm_90a),
// else the one that every architecture from sm_80 on has, for the dtypes that it takes.
#include <stdint.h>

namespace {

constexpr int products = 2048;
constexpr int operand_bytes = 16384;  // a tile of A and one of B are within it

__device__ unsigned random_bits(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// The descriptor of a matrix in shared memory with rows of 128 swizzled bytes.
__device__ unsigned long long descriptor(const void* tile) {
    const unsigned long long address = __cvta_generic_to_shared(tile);
    return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

#define RESULTS_16(d, i)                                                                                            \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]),       \
        "+f"(d[i + 7]), "+f"(d[i + 8]), "+f"(d[i + 9]), "+f"(d[i + 10]), "+f"(d[i + 11]), "+f"(d[i + 12]),           \
        "+f"(d[i + 13]), "+f"(d[i + 14]), "+f"(d[i + 15])

#define MULTIPLY(d, kind, last, a, b)                                                                               \
    asm volatile(                                                                                                   \
        "wgmma.mma_async.sync.aligned.m64n128" kind                                                                 \
        " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "          \
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                    \
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                    \
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, 1, 1, 1" last ";"          \
        : RESULTS_16(d, 0), RESULTS_16(d, 16), RESULTS_16(d, 32), RESULTS_16(d, 48)                                 \
        : "l"(a), "l"(b))

#define RATE(name, kind, last)                                                                                     \
    extern "C" __global__ void __launch_bounds__(128) name(float* out, int64_t N) {                                 \
        __shared__ __align__(1024) unsigned operands[2 * operand_bytes / 4];                                        \
        fill(operands, mask_##name);                                                                                \
        const unsigned long long a = descriptor(operands), b = descriptor(operands + operand_bytes / 4);            \
        float d[64] = {};                                                                                           \
        asm volatile("fence.proxy.async.shared::cta;");                                                             \
        __syncthreads();                                                                                            \
        for (int i = 0; i < products; i += 4) {                                                                     \
            asm volatile("wgmma.fence.sync.aligned;");                                                              \
            MULTIPLY(d, kind, last, a, b);                                                                          \
            MULTIPLY(d, kind, last, a + 2, b + 2);                                                                  \
            MULTIPLY(d, kind, last, a + 4, b + 4);                                                                  \
            MULTIPLY(d, kind, last, a + 6, b + 6);                                                                  \
            asm volatile("wgmma.commit_group.sync.aligned;");                                                       \
            asm volatile("wgmma.wait_group.sync.aligned 0;");                                                       \
        }                                                                                                           \
        float total = 0;                                                                                            \
        for (int j = 0; j < 64; ++j) total += d[j];                                                                 \
        if (threadIdx.x == 0) out[blockIdx.x] = total + float(N);                                                   \
    }

#else

#define RATE(name, kind, last)                                                                                     \
    extern "C" __global__ void __launch_bounds__(128) name(float* out, int64_t N) {                                 \
        __shared__ __align__(1024) unsigned operands[2 * operand_bytes / 4];                                        \
        fill(operands, mask_##name);                                                                                \
        __syncthreads();                                                                                            \
        float d[16][4] = {};                                                                                        \
        const unsigned* a = operands + threadIdx.x * 4;                                                             \
        const unsigned* b = operands + operand_bytes / 4 + threadIdx.x * 2;                                         \
        for (int i = 0; i < products; ++i) {                                                                        \
            for (int j = 0; j < 16; ++j) {                                                                          \
                asm volatile("mma.sync.aligned.m16n8" kind                                                          \
                             " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                     \
                             : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])                           \
                             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                   \
            }                                                                                                       \
        }                                                                                                           \
        float total = 0;                                                                                            \
        for (int j = 0; j < 16; ++j) total += d[j][0] + d[j][1] + d[j][2] + d[j][3];                                \
        if (threadIdx.x == 0) out[blockIdx.x] = total + float(N);                                                   \
    }

#endif

// Random signs and mantissas around 1: no operand is zero, and no sum overflows.
[[maybe_unused]] constexpr uint2 mask_tensor_f16{0x83ff83ff, 0x3c003c00}, mask_tensor_bf16{0x807f807f, 0x3f803f80},
    mask_tensor_tf32{0x807fffff, 0x3f800000}, mask_tensor_f8e4m3{0x87878787, 0x38383838};

__device__ void fill(unsigned* operands, uint2 mask) {
    for (unsigned i = threadIdx.x; i < 2 * operand_bytes / 4; i += blockDim.x) {
        operands[i] = (random_bits(i + 1) & mask.x) | mask.y;
    }
}

}  // namespace

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
RATE(tensor_f16, "k16.f32.f16.f16", ", 0, 0")
RATE(tensor_bf16, "k16.f32.bf16.bf16", ", 0, 0")
RATE(tensor_tf32, "k8.f32.tf32.tf32", "")
RATE(tensor_f8e4m3, "k32.f32.e4m3.e4m3", "")
#else
#if __CUDA_ARCH__ >= 800
RATE(tensor_f16, "k16.row.col.f32.f16.f16.f32", "")
RATE(tensor_bf16, "k16.row.col.f32.bf16.bf16.f32", "")
RATE(tensor_tf32, "k8.row.col.f32.tf32.tf32.f32", "")
#endif
#if __CUDA_ARCH__ >= 890
RATE(tensor_f8e4m3, "k32.row.col.f32.e4m3.e4m3.f32", "")
#endif
#endif

// SPDX-License-Identifier: Apache-2.0
// Copies of boxes of a tensor to shared memory by the bulk copy engine, and the barriers that tell when they are there
// (sm_90 and later). PTX ISA, "mbarrier" and "cp.async.bulk.tensor".
#pragma once

/// Where a tensor lies and how its boxes are copied: a launch argument that the studio makes. As cuda.h has it.
#if !defined(__cuda_cuda_h__)
typedef struct CUtensorMap_st {
    alignas(128) unsigned long long opaque[16];
} CUtensorMap;
#endif

namespace kg {

inline constexpr bool has_bulk_copies = architecture >= 900;

/// Whether the copy engine can read the tensor. Otherwise the map is all zeros.
KG_DEVICE bool is_given(const CUtensorMap& map) {
    unsigned long long any = 0;
    KG_UNROLL
    for (const unsigned long long word : map.opaque) any |= word;
    return any != 0;
}

/// A barrier in shared memory. It has a phase, which ends when all arrivals and all bytes that it expects are there; the
/// next one begins with it. Its parity is 0, 1, 0, …
struct CopyBarrier {
    uint64_t state;
};

#if __CUDA_ARCH__ >= 900
KG_DEVICE uint32_t place_of(const void* shared) { return static_cast<uint32_t>(__cvta_generic_to_shared(shared)); }
#endif

/// By one thread, before `publish_barriers` and a barrier of the block.
KG_DEVICE void make_barrier(CopyBarrier& barrier, int arrivals) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place_of(&barrier)), "r"(arrivals) : "memory");
#endif
}
KG_DEVICE void publish_barriers() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
KG_DEVICE void arrive(CopyBarrier& barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place_of(&barrier)) : "memory");
#endif
}
/// Arrives, and makes the phase wait for so many bytes of copies.
KG_DEVICE void arrive_and_expect(CopyBarrier& barrier, int bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place_of(&barrier)), "r"(bytes)
                 : "memory");
#endif
}
/// Waits until the phase of this parity has ended.
KG_DEVICE void wait_for(CopyBarrier& barrier, unsigned parity) {
#if __CUDA_ARCH__ >= 900
    uint32_t ended;
    do {
        asm volatile(
            "{\n.reg .pred ended;\nmbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\nselp.b32 %0, 1, 0, "
            "ended;\n}"
            : "=r"(ended)
            : "r"(place_of(&barrier)), "r"(parity)
            : "memory");
    } while (ended == 0);
#endif
}

/// Arrives at the barrier that lies at this place in block `rank` of the cluster.
KG_DEVICE void arrive_in_block(CopyBarrier& barrier, int rank) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(place_of(&barrier)),
        "r"(rank)
        : "memory");
#endif
}

/// Begins to copy a box to shared memory, to the same place of the first `blocks` blocks of the cluster; the barrier of
/// each is told when its bytes are there. The coordinates of the box's first element are those of the innermost axis, of
/// rows, and where the map has three axes of matrices. What lies outside of the tensor is written as zeros.
template <int axes, int blocks>
KG_DEVICE void copy_box(void* to, const CUtensorMap& map, CopyBarrier& barrier, int column, int row, int matrix) {
#if __CUDA_ARCH__ >= 900
    static_assert(axes == 2 || axes == 3);
#define KG_COPY(shape, kind, ...)                                                                             \
    asm volatile("cp.async.bulk.tensor." shape ".shared::cluster.global.mbarrier::complete_tx::bytes" kind           \
                 ::"r"(place_of(to)), "l"(&map), "r"(place_of(&barrier)), "r"(column), "r"(row), __VA_ARGS__ : "memory")
    constexpr uint16_t all = (1 << blocks) - 1;
    if constexpr (axes == 2 && blocks == 1) KG_COPY("2d", " [%0], [%1, {%3, %4}], [%2];", "r"(matrix));
    else if constexpr (axes == 2)
        KG_COPY("2d", ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;", "h"(all));
    else if constexpr (blocks == 1) KG_COPY("3d", " [%0], [%1, {%3, %4, %5}], [%2];", "r"(matrix));
    else KG_COPY("3d", ".multicast::cluster [%0], [%1, {%3, %4, %5}], [%2], %6;", "r"(matrix), "h"(all));
#undef KG_COPY
#endif
}

/// Where a box of four axes begins, innermost axis first.
struct BoxPlace {
    int first, second, third, fourth;
};
/// As copy_box, of a tensor of four axes.
template <int blocks>
KG_DEVICE void copy_box_of_four(void* to, const CUtensorMap& map, CopyBarrier& barrier, const BoxPlace& place) {
#if __CUDA_ARCH__ >= 900
#define KG_COPY(kind, mask, ...)                                                                                     \
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes" kind                  \
                 " [%0], [%1, {%3, %4, %5, %6}], [%2]" mask ";" ::"r"(place_of(to)),                                 \
                 "l"(&map), "r"(place_of(&barrier)), "r"(place.first), "r"(place.second), "r"(place.third),          \
                 __VA_ARGS__                                                                                         \
                 : "memory")
    if constexpr (blocks == 1) KG_COPY("", "", "r"(place.fourth));
    else KG_COPY(".multicast::cluster", ", %7", "r"(place.fourth), "h"(static_cast<uint16_t>((1 << blocks) - 1)));
#undef KG_COPY
#endif
}

/// Begins to copy bytes, a multiple of 16 from and to a multiple of 16; the barrier is told when they are there.
KG_DEVICE void copy_bytes(void* to, const void* from, CopyBarrier& barrier, int bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     place_of(to)),
                 "l"(from), "r"(bytes), "r"(place_of(&barrier))
                 : "memory");
#endif
}

}  // namespace kg

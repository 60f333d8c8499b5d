// SPDX-License-Identifier: Apache-2.0
// In place of kernelgen/cuda/matrix_instructions.cuh. The operands of wgmma are read when the products are waited for,
// so that a stage that is overwritten too early is seen.
#pragma once

#if !defined(KG_EMULATED_WGMMA)
#define KG_EMULATED_WGMMA true
#endif

namespace kg {

inline constexpr bool has_mma = true;
inline constexpr bool has_wgmma = KG_EMULATED_WGMMA;

inline int swizzled(int offset) { return offset ^ ((offset >> 3) & 0x70); }

struct SwizzledMatrix {
    const unsigned char* data;
    int panel_bytes;
};

/// An element of 16 bits: the swizzle is one of the address.
template <bool is_bfloat, bool along_depth>
inline float element(const SwizzledMatrix& matrix, int line, int k) {
    const int offset = along_depth ? line * 128 + k * 2 : line / 64 * matrix.panel_bytes + k * 128 + line % 64 * 2;
    const auto address = reinterpret_cast<uintptr_t>(matrix.data + offset);
    uint16_t code;
    memcpy(&code, reinterpret_cast<const void*>(address ^ ((address >> 3) & 0x70)), sizeof code);
    return is_bfloat ? __builtin_bit_cast(float, uint32_t{code} << 16) : float_of_half(code);
}

inline void copy_or_clear_in_shared(void* to, const void* from, bool exists) {
    static const unsigned char zeros[16] = {};
    check_alignment(from, 16);
    copy_to_shared<16>(to, exists ? from : zeros);
}
inline void publish_to_wgmma() {}
template <int count>
inline void give_registers() {}
template <int count>
inline void take_registers() {}
inline void warp_barrier() { (void)of_all_lanes(0); }

template <bool is_bfloat>
inline float half_of(uint32_t words, int which) {
    const uint32_t code = words >> (16 * which) & 0xffff;
    return is_bfloat ? __builtin_bit_cast(float, code << 16) : float_of_half(static_cast<uint16_t>(code));
}

template <bool transposed>
inline void ldmatrix(uint32_t (&to)[4], const void* row) {
    check_alignment(row, 16);
    const double* const rows = of_all_lanes(static_cast<double>(reinterpret_cast<uintptr_t>(row)));
    const int lane = thread_index() % 32;
    for (int matrix = 0; matrix < 4; ++matrix) {
        to[matrix] = 0;
        for (int which = 0; which < 2; ++which) {
            const int pair = lane % 4 * 2 + which, r = transposed ? pair : lane / 4, c = transposed ? lane / 4 : pair;
            uint16_t code;
            memcpy(&code, reinterpret_cast<const char*>(static_cast<uintptr_t>(rows[8 * matrix + r])) + 2 * c, 2);
            to[matrix] |= uint32_t{code} << (16 * which);
        }
    }
}

template <bool is_bfloat>
inline void mma(float (&sums)[4], const uint32_t (&left)[4], uint32_t right_low, uint32_t right_high) {
    uint32_t all[6][32];
    const uint32_t own[6] = {left[0], left[1], left[2], left[3], right_low, right_high};
    for (int word = 0; word < 6; ++word) {
        const double* const lanes = of_all_lanes(own[word]);
        for (int each = 0; each < 32; ++each) all[word][each] = static_cast<uint32_t>(lanes[each]);
    }
    const int lane = thread_index() % 32;
    for (int i = 0; i < 4; ++i) {
        const int row = lane / 4, column = lane % 4 * 2 + i % 2;
        for (int k = 0; k < 16; ++k) {
            const uint32_t a = all[i / 2 + k / 8 * 2][row * 4 + k % 8 / 2];
            const uint32_t b = all[4 + k / 8][column * 4 + k % 8 / 2];
            sums[i] += half_of<is_bfloat>(a, k % 2) * half_of<is_bfloat>(b, k % 2);
        }
    }
}

/// Products that were begun and not waited for, of each thread, by group; the last group is open.
inline std::map<kg_emulated::Thread*, std::deque<std::vector<std::function<void()>>>> begun_products;

inline void begin_wgmma() {
    auto& groups = begun_products[kg_emulated::current];
    if (groups.empty()) groups.emplace_back();
}
inline void end_of_wgmma() { begun_products[kg_emulated::current].emplace_back(); }
template <int groups>
inline void wait_for_wgmma() {
    auto& begun = begun_products[kg_emulated::current];
    while (begun.size() > groups + 1) {
        for (const auto& each : begun.front()) each();
        begun.pop_front();
    }
    if (groups == 0) begun_products.erase(kg_emulated::current);
    warp_barrier();  // a warp waits as one
}

template <bool is_bfloat, int n, bool left_along_depth, bool right_along_depth>
inline void wgmma(float (&sums)[n / 2], const SwizzledMatrix& left, const SwizzledMatrix& right, bool adds_to_sums) {
    float* const own = sums;
    begun_products[kg_emulated::current].back().push_back([own, left, right, adds_to_sums, thread = thread_index()] {
        for (int i = 0; i < n / 2; ++i) {
            if (!adds_to_sums) own[i] = 0;
            const int row = thread / 32 % 4 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
            const int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
            for (int k = 0; k < 16; ++k)
                own[i] += element<is_bfloat, left_along_depth>(left, row, k) *
                          element<is_bfloat, right_along_depth>(right, column, k);
        }
    });
}

}  // namespace kg

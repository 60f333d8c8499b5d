// SPDX-License-Identifier: Apache-2.0
// In place of kernelgen/cuda/matrix_instructions.cuh. The operands of wgmma are read when the products are waited for,
// so that a stage that is overwritten too early is seen.
#pragma once

#if !defined(KG_EMULATED_WGMMA)
#define KG_EMULATED_WGMMA true
#endif

namespace kg {

enum class ElementKind { f16, bf16, e4m3, e5m2 };

inline constexpr bool has_mma = true;
inline constexpr bool has_wgmma = KG_EMULATED_WGMMA;

inline int swizzled(int offset) { return offset ^ ((offset >> 3) & 0x70); }

struct SwizzledMatrix {
    const unsigned char* data;
    int panel_bytes;
};

/// A number with a sign, an exponent and `mantissa` bits in 8 bits.
inline float float_of_byte(uint8_t code, int mantissa, bool has_infinities) {
    const int bias = (1 << (6 - mantissa)) - 1, exponent = (code & 0x7f) >> mantissa;
    const int fraction = code & ((1 << mantissa) - 1);
    float value = exponent == 0 ? ldexpf(static_cast<float>(fraction), 1 - bias - mantissa)
                                : ldexpf(static_cast<float>(fraction + (1 << mantissa)), exponent - bias - mantissa);
    if (has_infinities && exponent == (1 << (7 - mantissa)) - 1)
        value = fraction == 0 ? __builtin_inff() : __builtin_nanf("");
    if (!has_infinities && (code & 0x7f) == 0x7f) value = __builtin_nanf("");
    return code & 0x80 ? -value : value;
}

template <ElementKind kind>
float float_of_byte(uint8_t code) {
    return kind == ElementKind::e4m3 ? float_of_byte(code, 3, false) : float_of_byte(code, 2, true);
}

/// The nearest code of E4M3, of two as near the even one; what is too large becomes 448.
inline uint32_t code_of_e4m3(float value) {
    if (value != value) return 0x7f;
    uint32_t best = 0;
    for (uint32_t code = 1; code < 0x7f; ++code) {
        const float distance = fabsf(float_of_byte(static_cast<uint8_t>(code), 3, false) - fabsf(value));
        const float least = fabsf(float_of_byte(static_cast<uint8_t>(best), 3, false) - fabsf(value));
        if (distance < least || (distance == least && code % 2 == 0)) best = code;
    }
    return best | (value < 0 ? 0x80u : 0u);
}
inline uint32_t four_e4m3(float a, float b, float c, float d) {
    return code_of_e4m3(a) | code_of_e4m3(b) << 8 | code_of_e4m3(c) << 16 | code_of_e4m3(d) << 24;
}

/// The swizzle is one of the address.
template <ElementKind kind, bool along_depth>
inline float element(const SwizzledMatrix& matrix, int line, int k) {
    constexpr int size = kind <= ElementKind::bf16 ? 2 : 1;
    const int offset = along_depth ? line * 128 + k * size : line / 64 * matrix.panel_bytes + k * 128 + line % 64 * 2;
    const auto address = reinterpret_cast<uintptr_t>(matrix.data + offset);
    const void* const place = reinterpret_cast<const void*>(address ^ ((address >> 3) & 0x70));
    uint16_t code = 0;
    memcpy(&code, place, size);
    if constexpr (size == 1) return float_of_byte<kind>(static_cast<uint8_t>(code));
    else return kind == ElementKind::bf16 ? __builtin_bit_cast(float, uint32_t{code} << 16) : float_of_half(code);
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

inline void stmatrix_transposed(void* row, const uint32_t* from) {
    check_alignment(row, 16);
    const double* const rows = of_all_lanes(static_cast<double>(reinterpret_cast<uintptr_t>(row)));
    const int lane = thread_index() % 32;
    for (int matrix = 0; matrix < 4; ++matrix) {
        for (int which = 0; which < 2; ++which) {
            const auto code = static_cast<uint16_t>(from[matrix] >> (16 * which));
            const auto place = static_cast<uintptr_t>(rows[8 * matrix + lane % 4 * 2 + which]);
            memcpy(reinterpret_cast<char*>(place) + 2 * (lane / 4), &code, 2);
        }
    }
    (void)of_all_lanes(0);
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
template <int count>
void keep_in_order(float (&)[count]) {}
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

/// A sum of tensor cores for operands of 8 bits: terms are cut to 13 bits behind the point of the largest one.
inline float coarse_sum(const float* terms, int count) {
    float largest = 0, sum = 0;
    for (int i = 0; i < count; ++i) {
        if (!(fabsf(terms[i]) < __builtin_inff())) return std::accumulate(terms, terms + count, 0.0f);
        largest = fmaxf(largest, fabsf(terms[i]));
    }
    if (largest == 0) return 0;
    const float unit = ldexpf(1, ilogbf(largest) - 13);
    for (int i = 0; i < count; ++i) sum += truncf(terms[i] / unit) * unit;
    return truncf(sum / unit) * unit;
}

/// Begins a wgmma whose left operand has the element left(row, k).
template <ElementKind left_kind, ElementKind right_kind, int n, bool right_along_depth, class Left>
void begin_products(float (&sums)[n / 2], const Left& left, const SwizzledMatrix& right, bool adds_to_sums) {
    constexpr bool is_coarse = left_kind > ElementKind::bf16;
    constexpr int depth = is_coarse ? 32 : 16;
    float* const own = sums;
    begun_products[kg_emulated::current].back().push_back([own, left, right, adds_to_sums, thread = thread_index()] {
        for (int i = 0; i < n / 2; ++i) {
            if (!adds_to_sums) own[i] = 0;
            const int row = thread / 32 % 4 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
            const int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
            float terms[depth + 1] = {own[i]};
            for (int k = 0; k < depth; ++k)
                terms[k + 1] = left(row, k) * element<right_kind, right_along_depth>(right, column, k);
            own[i] = is_coarse ? coarse_sum(terms, depth + 1) : std::accumulate(terms, terms + depth + 1, 0.0f);
        }
    });
}

template <ElementKind left_kind, ElementKind right_kind, int n, bool left_along_depth, bool right_along_depth>
inline void wgmma(float (&sums)[n / 2], const SwizzledMatrix& left, const SwizzledMatrix& right, bool adds_to_sums) {
    begin_products<left_kind, right_kind, n, right_along_depth>(
        sums, [left](int row, int k) { return element<left_kind, left_along_depth>(left, row, k); }, right,
        adds_to_sums);
}

/// The words of a warp's lanes, four elements of 8 bits in each, are its 16 rows.
template <ElementKind left_kind, ElementKind right_kind, int n>
inline void wgmma_of_registers(float (&sums)[n / 2], const uint32_t (&left)[4], const SwizzledMatrix& right,
                               bool adds_to_sums) {
    std::array<std::array<uint32_t, 32>, 4> words;
    for (int word = 0; word < 4; ++word) {
        const double* const lanes = of_all_lanes(left[word]);
        for (int lane = 0; lane < 32; ++lane) words[word][lane] = static_cast<uint32_t>(lanes[lane]);
    }
    const auto element_of = [words](int row, int k) {
        const uint32_t word = words[row % 16 / 8 + k / 16 * 2][row % 8 * 4 + k % 16 / 4];
        return float_of_byte<left_kind>(static_cast<uint8_t>(word >> (8 * (k % 4))));
    };
    begin_products<left_kind, right_kind, n, true>(sums, element_of, right, adds_to_sums);
}

}  // namespace kg

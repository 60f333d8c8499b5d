// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/normals.h"

#include <algorithm>
#include <array>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kernelgen {

namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ull;  // between the states of neighbouring elements

[[gnu::always_inline]] inline std::uint64_t mixed_bits(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// The quantile of the standard normal (Acklam 2003; relative error below 1.2e-9).
double normal_quantile(double p) {
    constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                            1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                            6.680131188771972e+01, -1.328068155288572e+01};
    constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                            -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    if (p > 0.5) return -normal_quantile(1 - p);
    if (p < 0.02425) {
        const double q = std::sqrt(-2 * std::log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
    const double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

/// Quantiles at i/4096, between which values are interpolated; the outermost steps are computed.
constexpr int steps = 4096;
const std::array<float, steps + 1>& quantiles() {
    static const auto table = [] {
        std::array<float, steps + 1> values{};
        for (int i = 1; i < steps; ++i) values[i] = static_cast<float>(normal_quantile(static_cast<double>(i) / steps));
        return values;
    }();
    return table;
}

/// Where a number lies: its step, and the place within it, in (0, 1).
[[gnu::always_inline]] inline double within_step(std::uint64_t random) {
    return (static_cast<double>(static_cast<std::int64_t>(random & 0xfffffffffffffull)) + 0.5) * 0x1p-52;
}

[[gnu::always_inline]] inline bool is_outermost(std::uint64_t random) { return ((random >> 52) + 1) % steps < 2; }

double of_outermost_step(std::uint64_t random) {
    const auto step = static_cast<double>(random >> 52);
    return normal_quantile(std::min((step + within_step(random)) / steps, 1 - 0x1p-53));
}

[[gnu::always_inline]] inline double interpolated(std::uint64_t random, const float* table) {
    const std::uint64_t step = random >> 52;
    return table[step] + within_step(random) * (table[step + 1] - table[step]);
}

/// Elements as if none lay in an outermost step, in blocks of eight. Returns whether one does.
using Interpolate = bool (*)(std::uint64_t start, const float* table, double* values, std::size_t blocks);
constexpr std::size_t block = 8;

bool interpolate_anywhere(std::uint64_t start, const float* table, double* values, std::size_t blocks) {
    bool has_outermost = false;
    for (std::size_t i = 0; i < blocks * block; ++i) {
        const std::uint64_t random = mixed_bits(start + i * golden);
        values[i] = interpolated(random, table);
        has_outermost |= is_outermost(random);
    }
    return has_outermost;
}

#if defined(__x86_64__)
[[gnu::target("avx512f,avx512dq")]] inline __m512i all(std::uint64_t value) {
    return _mm512_set1_epi64(static_cast<long long>(value));
}

[[gnu::target("avx512f,avx512dq")]] bool interpolate_with_avx512(std::uint64_t start, const float* table,
                                                                 double* values, std::size_t blocks) {
    const __m512i first_factor = all(0xbf58476d1ce4e5b9ull), second_factor = all(0x94d049bb133111ebull);
    const __m512i last_step = all(steps - 1), one = all(1), digits = all(0xfffffffffffffull),
                  next = all(golden * block);
    __m512i state =
        _mm512_add_epi64(all(start), _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), all(golden)));
    __mmask8 outermost = 0;
    for (std::size_t i = 0; i < blocks; ++i, state = _mm512_add_epi64(state, next)) {
        __m512i random = _mm512_mullo_epi64(_mm512_xor_si512(state, _mm512_srli_epi64(state, 30)), first_factor);
        random = _mm512_mullo_epi64(_mm512_xor_si512(random, _mm512_srli_epi64(random, 27)), second_factor);
        random = _mm512_xor_si512(random, _mm512_srli_epi64(random, 31));
        const __m512i step = _mm512_srli_epi64(random, 52);
        outermost |= _mm512_cmplt_epu64_mask(_mm512_and_si512(_mm512_add_epi64(step, one), last_step), all(2));
        const __m512d digit = _mm512_cvtepi64_pd(_mm512_and_si512(random, digits));
        const __m512d within = _mm512_mul_pd(_mm512_add_pd(digit, _mm512_set1_pd(0.5)), _mm512_set1_pd(0x1p-52));
        const __m256 low = _mm512_i64gather_ps(step, table, sizeof(float));
        const __m256 high = _mm512_i64gather_ps(step, table + 1, sizeof(float));
        const __m512d rise = _mm512_mul_pd(within, _mm512_cvtps_pd(_mm256_sub_ps(high, low)));
        _mm512_storeu_pd(values + i * block, _mm512_add_pd(_mm512_cvtps_pd(low), rise));
    }
    return outermost != 0;
}

Interpolate widest_interpolation() {
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return has_avx512 ? interpolate_with_avx512 : interpolate_anywhere;
}
#else
Interpolate widest_interpolation() { return interpolate_anywhere; }
#endif

}  // namespace

std::uint64_t mix(std::uint64_t x) { return mixed_bits(x); }

std::uint64_t random_of(std::uint64_t stream, std::int64_t index) {
    return mixed_bits(stream + static_cast<std::uint64_t>(index) * golden);
}

double standard_normal(std::uint64_t random) {
    return is_outermost(random) ? of_outermost_step(random) : interpolated(random, quantiles().data());
}

void standard_normals(std::uint64_t stream, std::int64_t first, std::span<double> values) {
    static const Interpolate interpolate = widest_interpolation();
    constexpr std::size_t group = 8 * block;  // one in thirty has an element of an outermost step
    const float* table = quantiles().data();
    const auto compute = [&](std::size_t begin, std::size_t end, bool has_outermost) {
        for (std::size_t i = begin; i < end && has_outermost; ++i)
            values[i] = standard_normal(random_of(stream, first + static_cast<std::int64_t>(i)));
    };
    std::size_t done = 0;
    for (; done + group <= values.size(); done += group) {
        const std::uint64_t start = stream + (static_cast<std::uint64_t>(first) + done) * golden;
        compute(done, done + group, interpolate(start, table, &values[done], group / block));
    }
    compute(done, values.size(), true);
}

}  // namespace kernelgen

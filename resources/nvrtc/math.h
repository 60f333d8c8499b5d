// SPDX-License-Identifier: Apache-2.0
#pragma once
// The functions are known to NVRTC.
// No macros: the toolkit's <cuda/std/cmath>, which CUB includes, defines macros of these names without asking.
#ifndef INFINITY
constexpr float INFINITY = __builtin_bit_cast(float, 0x7f800000);
constexpr float NAN = __builtin_bit_cast(float, 0x7fffffff);
#endif
#ifndef M_PI
#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif

// SPDX-License-Identifier: Apache-2.0
// How the sums of wgmma are written as operands of inline assembly: the numbers of ten registers in a row, and 8, 16 or
// 32 sums from the i-th on.
#pragma once

// clang-format off
#define KG_TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9"
#define KG_8_SUMS(i)                                                                                               \
    "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3]), "+f"(sums[i + 4]), "+f"(sums[i + 5]), \
        "+f"(sums[i + 6]), "+f"(sums[i + 7])
#define KG_16_SUMS(i) KG_8_SUMS(i), KG_8_SUMS(i + 8)
#define KG_32_SUMS(i) KG_16_SUMS(i), KG_16_SUMS(i + 16)
// clang-format on

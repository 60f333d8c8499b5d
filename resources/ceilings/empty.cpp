// SPDX-License-Identifier: Apache-2.0
// A tile program that does nothing: what starting programs costs.
#include <stdint.h>

extern "C" void nothing(float*, int64_t, int64_t, int64_t, int64_t) { asm volatile("" ::: "memory"); }

// SPDX-License-Identifier: Apache-2.0
// A block that does nothing: what starting blocks costs.
#include <stdint.h>

extern "C" __global__ void __launch_bounds__(128) nothing(float*, int64_t) {}

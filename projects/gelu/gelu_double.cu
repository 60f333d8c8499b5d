// SPDX-License-Identifier: Apache-2.0
// gelu as it is often written first: a thread an element, and constants that make all arithmetic double.
#include <math.h>

#include "kernelgen.cuh"

extern "C" __global__ void gelu_kernel(const DTYPE* in, DTYPE* out, int64_t rows, int64_t columns) {
    // Get the index into the tensor
    int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < rows * columns) {  // To handle the case when n < numBlocks * blockDim
        // Do the actual computation
        out[i] = 0.5 * in[i] * (1.0 + tanh(0.79788456 * (in[i] + 0.044715 * in[i] * in[i] * in[i])));
    }
}

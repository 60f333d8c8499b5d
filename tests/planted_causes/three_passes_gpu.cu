// SPDX-License-Identifier: Apache-2.0
// Three passes over rows of which the L2 does not hold those that run at once.
#include "kernelgen.cuh"

namespace {

/// A sum with what rounding took from it (Kahan 1965): a plain sum of so many elements loses too many digits.
struct Sum {
    float value = 0, lost = 0;
    __device__ void add(float term) {
        const float wanted = term - lost, next = value + wanted;
        lost = (next - value) - wanted;
        value = next;
    }
};

}  // namespace

extern "C" __global__ void slow(const float* __restrict__ x, float* __restrict__ out, int64_t P, int64_t D) {
    const int64_t i = blockIdx.x;
    Sum sum, squares;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) sum.add(x[i * D + j]);
    const float mean = kg::block_sum(sum.value) / D;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) squares.add((x[i * D + j] - mean) * (x[i * D + j] - mean));
    const float variance = kg::block_sum(squares.value) / D;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) out[i * D + j] = (x[i * D + j] - mean) / (variance + 1.0f);
}

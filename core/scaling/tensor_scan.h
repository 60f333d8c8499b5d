// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/scaling/tensor_blocks.h"

namespace kernelgen {

/// What the magnitudes of a tensor's elements are.
struct TensorScan {
    std::int64_t elements = 0, zeros = 0;
    double amax = 0;
    double least = 0;              ///< the smallest that is not 0; 0 where all are
    std::vector<double> channels;  ///< amax at each place on the axis
};

/// Reads the whole tensor once. Errors: of reading; NaN or infinities, with their number and the first place; an axis
/// too long for the memory; a stop.
Result<TensorScan> scan_tensor(const NpyReader& tensor, const AxisWalk& walk, std::stop_token stop);

}  // namespace kernelgen

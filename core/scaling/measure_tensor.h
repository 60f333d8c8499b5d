// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/scaling/assistant.h"

namespace kernelgen {

/// Measures all modes of a tensor; the delayed ones by scales from `history`, where that has any. Chooses the format,
/// and puts it into `format`.
Result<MeasuredTensor> measure_tensor(const NpyReader& tensor, TensorScan scan, const ScalingRequest& request,
                                      const AmaxHistory& history, FormatChoice& format, std::stop_token stop);

}  // namespace kernelgen

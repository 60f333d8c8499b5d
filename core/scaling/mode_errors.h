// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "core/scaling/tensor_blocks.h"
#include "core/verify/result.h"

namespace kernelgen {

/// How many elements share a scale.
enum class ScaleMode { none, tensor, channel, group };
std::string_view to_string(ScaleMode mode);

/// One way to store a tensor.
struct StoreMode {
    DType format = DType::f8e4m3;
    ScaleMode mode = ScaleMode::tensor;
    std::int64_t group = 0;   ///< of `group`: neighbours that share a scale
    bool is_delayed = false;  ///< the scales come from earlier steps, not from this tensor
};

/// What storing a tensor so does to it.
struct ModeErrors {
    StoreMode mode;
    std::int64_t scales = 1;  ///< their number
    double least_scale = 1, most_scale = 1;
    ErrorMetrics metrics;  ///< of the elements as they are read again; clip_ratio: above the format's largest number
    double flushed = 0;    ///< share of the elements that are not 0 and were stored as 0
    double relative_error = 0;      ///< ‖stored - x‖₂ / ‖x‖₂; 0 where all are 0
    double laplace_divergence = 0;  ///< `divergence_from_laplace`

    double snr_db() const;  ///< -20 log10(relative_error); infinite where there is no error
};

/// Scales that are known before the elements are seen, one for each `group` places on the axis.
struct FixedScales {
    AxisWalk walk;
    std::int64_t group = 1;
    std::span<const double> scales;
};

/// Stores all elements and reads them again. Errors: of reading; a stop.
Result<ModeErrors> errors_with(const NpyReader& tensor, const StoreMode& mode, const FixedScales& scales,
                               std::stop_token stop);
/// The same with a scale for each group of neighbours along the axis, from their own amax.
Result<ModeErrors> errors_in_groups(const NpyReader& tensor, const StoreMode& mode, const AxisWalk& walk,
                                    std::stop_token stop);

}  // namespace kernelgen

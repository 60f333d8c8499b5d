// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/scaling/delayed_scaling.h"
#include "core/scaling/format_choice.h"
#include "core/scaling/group_choice.h"
#include "core/scaling/layer_errors.h"
#include "core/scaling/precision_policy.h"
#include "core/scaling/scaling_state.h"
#include "core/scaling/tensor_scan.h"

namespace kernelgen {

/// A file: a tensor (.npy) of this name, or records, which name their tensors themselves.
struct ScalingInput {
    std::string name;
    std::filesystem::path file;

    bool is_tensor() const;
};

/// "NAME=FILE" or "FILE"; then the name is the file's without its ending.
ScalingInput scaling_input(const std::string& text);

struct ScalingRequest {
    std::vector<ScalingInput> inputs;
    int axis = -1;                                            ///< of the channels; from 0, or from the end backwards
    int group_axis = -1;                                      ///< along which neighbours share a scale
    std::vector<std::int64_t> groups = {8, 16, 32, 64, 128};  ///< from 1 on, in any order
    bool are_groups_asked = false;  ///< a size that does not divide the axis is then an error, if none does
    std::optional<DType> format;    ///< E4M3 or E5M2; nothing: chosen by range
    double clip_target = 0.01;
    bool uint16_is_bf16 = false;
    DelayedRule delayed;
    PolicyRule policy;
    LayerLimits limits;
};

/// A tensor that was measured.
struct MeasuredTensor {
    DType dtype = DType::f32;
    std::vector<std::int64_t> shape;  ///< as NumPy shows it
    TensorScan scan;
    std::vector<ModeErrors> modes;        ///< in the chosen format: tensor, channel, groups; then the delayed ones
    std::vector<std::int64_t> undivided;  ///< groups that do not divide the axis: left out
    bool has_channels = true;             ///< false: a channel would be one element, or the tensor
    std::optional<GroupChoice> group;
    double f16_error = 0;  ///< relative, of f16 without a scale
};

/// What is told of one tensor or layer.
struct LayerScaling {
    std::string name;
    FormatChoice format;
    std::optional<MeasuredTensor> tensor;  ///< the last of this name
    DelayedRun delayed;                    ///< of all its steps
    std::optional<double> next_scale;      ///< the delayed scale of the step that comes, of the whole tensor
    std::optional<double> recorded_error;
    LayerPrecision precision;

    /// Relative error in FP8 with one scale, measured or recorded.
    std::optional<double> fp8_error() const;
};

struct ScalingReport {
    std::vector<LayerScaling> layers;
    AccumulatedError in_fp8;     ///< of the layers whose error is known
    AccumulatedError by_policy;  ///< the same, each in the precision that the policy gives it
};

/// Reads and measures everything, and takes all steps into the state. Errors, each with what to do: files that cannot
/// be read, tensors and records that no scale fits, an axis that is not there, groups of which none divides the axis,
/// and a state whose channels are others.
Validated<ScalingReport> assist_scaling(const ScalingRequest& request, ScalingState& state,
                                        const std::function<void(const std::string&)>& begins, std::stop_token stop);

}  // namespace kernelgen

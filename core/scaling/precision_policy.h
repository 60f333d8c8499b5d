// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scaling/mode_errors.h"

namespace kernelgen {

enum class PolicyReason {
    critical,      ///< a pattern of critical layers names it
    within_limit,  ///< its error is within the limit, with the coarsest scales for which it is
    over_limit,    ///< no FP8 mode is within the limit
    recorded,      ///< its recorded error is within the limit
    not_measured,  ///< only its amax is known
};

/// What a layer is computed in.
struct LayerPrecision {
    std::string layer;
    DType precision = DType::f8e4m3;  ///< f16, f8e5m2 or f8e4m3
    PolicyReason reason = PolicyReason::within_limit;
    std::optional<StoreMode> scales;       ///< of FP8, where it was measured
    std::optional<double> relative_error;  ///< of the precision, where it is known
};

/// What decides about a layer.
struct LayerEvidence {
    std::string name;
    DType format = DType::f8e4m3;    ///< chosen by range
    std::vector<ModeErrors> modes;   ///< of FP8, measured; the scales of the coarsest first
    std::optional<double> recorded;  ///< relative error of FP8 that was recorded
    std::optional<double> f16;       ///< relative error in f16, measured
};

struct PolicyRule {
    std::vector<std::string> critical = {"attention.q_proj", "attention.k_proj", "lm_head"};
    double limit = 0.06;  ///< the largest relative error of a layer in FP8
};

std::string precision_name(DType precision);  ///< "E4M3", "E5M2", "FP16"

/// Whether `name` has one of the patterns in it; * in a pattern stands for any characters.
bool is_critical(std::string_view name, const std::vector<std::string>& patterns);

LayerPrecision choose_precision(const LayerEvidence& layer, const PolicyRule& rule);

}  // namespace kernelgen

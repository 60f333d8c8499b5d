// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/precision_policy.h"

#include <algorithm>

#include "core/base/text.h"

namespace kernelgen {
namespace {

/// Whether the pieces of a pattern stand in the name, one behind the other.
bool has_pieces(std::string_view name, const std::vector<std::string>& pieces) {
    for (const std::string& each : pieces) {
        const std::size_t found = name.find(each);
        if (found == name.npos) return false;
        name.remove_prefix(found + each.size());
    }
    return true;
}

LayerPrecision in_f16(const LayerEvidence& layer, PolicyReason reason) {
    return {.layer = layer.name, .precision = DType::f16, .reason = reason, .relative_error = layer.f16};
}

}  // namespace

std::string precision_name(DType precision) {
    switch (precision) {
        case DType::f8e4m3: return "E4M3";
        case DType::f8e5m2: return "E5M2";
        case DType::f16: return "FP16";
        default: return std::string(to_string(precision));
    }
}

bool is_critical(std::string_view name, const std::vector<std::string>& patterns) {
    return std::ranges::any_of(patterns, [&](const std::string& each) { return has_pieces(name, split(each, '*')); });
}

LayerPrecision choose_precision(const LayerEvidence& layer, const PolicyRule& rule) {
    if (is_critical(layer.name, rule.critical)) return in_f16(layer, PolicyReason::critical);
    for (const ModeErrors& each : layer.modes) {
        if (each.relative_error <= rule.limit)
            return {layer.name, each.mode.format, PolicyReason::within_limit, each.mode, each.relative_error};
    }
    if (!layer.modes.empty()) return in_f16(layer, PolicyReason::over_limit);
    if (!layer.recorded) return {layer.name, layer.format, PolicyReason::not_measured, {}, {}};
    if (*layer.recorded > rule.limit) return in_f16(layer, PolicyReason::over_limit);
    return {layer.name, layer.format, PolicyReason::recorded, {}, layer.recorded};
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/base/json_format.h"
#include "core/report/scaling_report.h"
#include "core/scaling/block_scale.h"

namespace kernelgen {
namespace {

using nlohmann::ordered_json;

std::string_view json_name(PolicyReason reason) {
    switch (reason) {
        case PolicyReason::critical: return "critical";
        case PolicyReason::within_limit: return "within_limit";
        case PolicyReason::over_limit: return "over_limit";
        case PolicyReason::recorded: return "recorded";
        case PolicyReason::not_measured: return "not_measured";
    }
    return "";
}

std::string_view json_name(FormatReason reason) {
    switch (reason) {
        case FormatReason::precise: return "precise";
        case FormatReason::range: return "range";
        case FormatReason::asked: return "asked";
        case FormatReason::amax_only: return "amax_only";
        case FormatReason::channels: return "channels";
    }
    return "";
}

ordered_json store_mode_json(const StoreMode& mode) {
    ordered_json object = {{"scales", to_string(mode.mode)}};
    if (mode.mode == ScaleMode::group) object["group"] = mode.group;
    object["delayed"] = mode.is_delayed;
    return object;
}

ordered_json mode_json(const ModeErrors& errors) {
    const ErrorMetrics& metrics = errors.metrics;
    ordered_json object = store_mode_json(errors.mode);
    object["format"] = precision_name(errors.mode.format);
    object["number"] = errors.scales;
    object["least_scale"] = errors.least_scale;
    object["most_scale"] = errors.most_scale;
    object["max_absolute"] = json_number(metrics.max_absolute);
    object["mean_absolute"] = json_number(metrics.mean_absolute);
    object["p50_absolute"] = json_number(metrics.p50_absolute);
    object["p90_absolute"] = json_number(metrics.p90_absolute);
    object["p99_absolute"] = json_number(metrics.p99_absolute);
    object["clip_ratio"] = metrics.clip_ratio;
    object["flushed"] = errors.flushed;
    object["relative_error"] = json_number(errors.relative_error);
    object["snr_db"] = json_number(errors.snr_db());
    object["kl_to_laplace"] = json_number(errors.laplace_divergence);
    object["histogram"] = {
        {"exact", metrics.exact}, {"first_exponent", metrics.first_exponent}, {"counts", metrics.histogram}};
    return object;
}

std::vector<double> channel_scales(const LayerScaling& layer) {
    std::vector<double> scales;
    for (const double amax : layer.tensor->scan.channels) scales.push_back(scale_for(amax, layer.format.format));
    return scales;
}

ordered_json tensor_json(const LayerScaling& layer) {
    const MeasuredTensor& tensor = *layer.tensor;
    ordered_json object = {{"dtype", to_string(tensor.dtype)},      {"shape", tensor.shape},
                           {"elements", tensor.scan.elements},      {"zeros", tensor.scan.zeros},
                           {"amax", json_number(tensor.scan.amax)}, {"least", json_number(tensor.scan.least)}};
    object["one_scale"] = {mode_json(*layer.format.e4m3), mode_json(*layer.format.e5m2)};
    object["modes"] = ordered_json::array();
    for (const ModeErrors& each : tensor.modes) object["modes"].push_back(mode_json(each));
    if (tensor.has_channels) object["channel_scales"] = channel_scales(layer);
    object["undivided_groups"] = tensor.undivided;
    if (!tensor.group) return object;
    object["group_choice"] = {
        {"group", nullptr}, {"least_clipping", tensor.group->least_clipping}, {"delayed", tensor.group->is_delayed}};
    if (tensor.group->group) object["group_choice"]["group"] = *tensor.group->group;
    return object;
}

ordered_json delayed_json(const LayerScaling& layer) {
    const DelayedRun& run = layer.delayed;
    ordered_json object = {{"judged", run.judged()},
                           {"clipped", run.clipped()},
                           {"clip_ratio", run.clip_ratio()},
                           {"anomalies", run.anomalies()},
                           {"needed_margin", json_number(run.needed_margin)}};
    if (run.channels > 0) {
        object["channels"] = run.channels;
        object["channel_clip_ratio"] = run.channel_clip_ratio();
    }
    if (layer.next_scale) object["next_scale"] = *layer.next_scale;
    object["steps"] = ordered_json::array();
    for (const DelayedStep& each : run.steps)
        object["steps"].push_back({{"step", each.step},
                                   {"amax", each.amax},
                                   {"covered", json_number(each.covered)},
                                   {"scale", scale_for(each.covered, layer.format.format)},
                                   {"first", each.is_first},
                                   {"clipped", each.is_clipped},
                                   {"clipped_channels", each.clipped_channels},
                                   {"anomaly", each.is_anomaly}});
    return object;
}

ordered_json policy_json(const LayerPrecision& own) {
    ordered_json object = {{"layer", own.layer}, {"precision", precision_name(own.precision)}};
    if (own.scales) object["scaling"] = store_mode_json(*own.scales);
    if (own.relative_error) object["relative_error"] = json_number(*own.relative_error);
    object["reason"] = json_name(own.reason);
    return object;
}

ordered_json layer_json(const LayerScaling& layer) {
    ordered_json object = {{"name", layer.name},
                           {"format", precision_name(layer.format.format)},
                           {"format_reason", json_name(layer.format.reason)}};
    if (layer.tensor) object["tensor"] = tensor_json(layer);
    if (!layer.delayed.steps.empty()) object["delayed"] = delayed_json(layer);
    if (layer.recorded_error) object["recorded_error"] = *layer.recorded_error;
    return object;
}

ordered_json accumulated_json(const AccumulatedError& error, const LayerLimits& limits) {
    return {{"layers", error.layers},
            {"mean", json_number(error.mean())},
            {"sum", json_number(error.sum)},
            {"root_of_squares", json_number(error.root_of_squares)},
            {"exceeds_mean", error.exceeds_mean(limits)},
            {"exceeds_whole", error.exceeds_whole(limits)}};
}

}  // namespace

ordered_json to_json(const ScalingReport& report, const ScalingRequest& request) {
    ordered_json document = {{"smoothing", request.delayed.smoothing},
                             {"margin", request.delayed.margin},
                             {"clip_target", request.clip_target},
                             {"layers", ordered_json::array()}};
    for (const LayerScaling& each : report.layers) document["layers"].push_back(layer_json(each));
    document["accumulated"] = {{"mean_limit", request.limits.mean},
                               {"whole_limit", request.limits.whole},
                               {"in_fp8", accumulated_json(report.in_fp8, request.limits)},
                               {"by_policy", accumulated_json(report.by_policy, request.limits)}};
    document["policy"] = ordered_json::array();
    for (const LayerScaling& each : report.layers) document["policy"].push_back(policy_json(each.precision));
    return document;
}

}  // namespace kernelgen

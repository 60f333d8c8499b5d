// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/assistant.h"

#include <algorithm>

#include "core/scaling/block_scale.h"
#include "core/scaling/measure_tensor.h"

namespace kernelgen {
namespace {

/// Goes through the inputs in their order.
class Assistance {
public:
    Assistance(const ScalingRequest& request, ScalingState& state, std::stop_token stop)
        : request_(request), state_(state), stop_(std::move(stop)) {
        std::ranges::sort(request_.groups);
        request_.groups.erase(std::ranges::unique(request_.groups).begin(), request_.groups.end());
    }

    /// Nothing, or what is wrong.
    Diagnostics take(const ScalingInput& input, bool is_last_of_name) {
        return input.is_tensor() ? take_tensor(input, is_last_of_name) : take_records(input);
    }
    ScalingReport report();

private:
    Diagnostics take_tensor(const ScalingInput& input, bool is_last_of_name);
    Result<void> measure(const ScalingInput& input, bool is_last_of_name);
    Diagnostics take_records(const ScalingInput& input);
    std::optional<Error> other_channels(const std::string& name, std::size_t channels) const;
    LayerScaling& layer(const std::string& name) {
        const auto found = std::ranges::find(report_.layers, name, &LayerScaling::name);
        if (found != report_.layers.end()) return *found;
        report_.layers.push_back({.name = name, .format = choose_format(std::vector<double>())});
        return report_.layers.back();
    }
    void follow_steps(LayerScaling& layer, const std::vector<AmaxStep>& steps);

    ScalingRequest request_;
    ScalingState& state_;
    std::stop_token stop_;
    ScalingReport report_;
};

std::optional<Error> Assistance::other_channels(const std::string& name, std::size_t channels) const {
    const auto found = state_.find(name);
    if (found == state_.end() || found->second.channels.empty() || channels == 0) return std::nullopt;
    const std::size_t before = found->second.channels.size();
    if (before == channels) return std::nullopt;
    return Error{
        say("`{}` had {} channels in earlier steps, and has {} here: give it another name, the same axis, or "
            "another state",
            name, before, channels)};
}

void Assistance::follow_steps(LayerScaling& layer, const std::vector<AmaxStep>& steps) {
    DelayedRun run = follow(state_[layer.name], steps, request_.delayed);
    layer.delayed.channels = run.channels;
    layer.delayed.needed_margin = std::max(layer.delayed.needed_margin, run.needed_margin);
    layer.delayed.steps.insert(layer.delayed.steps.end(), run.steps.begin(), run.steps.end());
}

Result<void> Assistance::measure(const ScalingInput& input, bool is_last_of_name) {
    const Result<NpyReader> tensor = NpyReader::open(input.file, request_.uint16_is_bf16);
    if (!tensor) return std::unexpected(tensor.error());
    const auto with_file = [&](const Error& error) {
        return std::unexpected(Error{Said(input.file.string() + ": ") + error.message});
    };
    if (tensor->header().shape.empty()) return with_file({"a single number, not a tensor: it has no axis"});
    if (tensor->header().elements() == 0) return with_file({"the tensor is empty: it has no amax"});
    const Result<AxisWalk> walk = walk_along(tensor->header(), request_.axis);
    if (!walk) return with_file(walk.error());
    Result<TensorScan> scan = scan_tensor(*tensor, *walk, stop_);
    if (!scan) return with_file(scan.error());
    if (const auto wrong = other_channels(input.name, scan->channels.size())) return with_file(*wrong);
    LayerScaling& own = layer(input.name);
    AmaxHistory& history = state_[input.name];
    const AmaxStep step{history.steps + 1, scan->amax, scan->channels};
    if (is_last_of_name) {
        Result<MeasuredTensor> measured =
            measure_tensor(*tensor, std::move(*scan), request_, history, own.format, stop_);
        if (!measured) return with_file(measured.error());
        own.tensor = std::move(*measured);
    }
    follow_steps(own, {step});
    return {};
}

Diagnostics Assistance::take_tensor(const ScalingInput& input, bool is_last_of_name) {
    const Result<void> measured = measure(input, is_last_of_name);
    return measured ? Diagnostics() : as_diagnostics(measured.error());
}

Diagnostics Assistance::take_records(const ScalingInput& input) {
    const Validated<std::vector<RecordedTensor>> records = read_amax_records(input.file);
    if (!records) return records.error();
    for (const RecordedTensor& each : *records) {
        const std::size_t channels = each.steps.empty() ? 0 : each.steps.front().channels.size();
        if (const auto wrong = other_channels(each.name, channels))
            return {{input.file.string(), "", wrong->message, ""}};
        LayerScaling& own = layer(each.name);
        if (each.relative_error) own.recorded_error = each.relative_error;
        if (each.steps.empty()) continue;
        own.format = choose_format(each.steps.back().channels);
        if (request_.format) use_format(own.format, *request_.format);
        follow_steps(own, each.steps);
    }
    return {};
}

/// The modes that need no earlier steps, those with the fewest scales first.
std::vector<ModeErrors> coarsest_first(const LayerScaling& layer) {
    std::vector<ModeErrors> modes;
    if (!layer.tensor) return modes;
    std::ranges::copy_if(layer.tensor->modes, std::back_inserter(modes),
                         [](const ModeErrors& each) { return !each.mode.is_delayed; });
    std::ranges::stable_sort(modes, {}, &ModeErrors::scales);
    return modes;
}

ScalingReport Assistance::report() {
    std::vector<double> in_fp8, by_policy;
    for (LayerScaling& each : report_.layers) {
        const auto history = state_.find(each.name);
        if (history != state_.end() && history->second.average > 0)
            each.next_scale = scale_for(request_.delayed.margin * history->second.average, each.format.format);
        LayerEvidence evidence{each.name, each.format.format, coarsest_first(each), each.recorded_error, {}};
        if (each.tensor) evidence.f16 = each.tensor->f16_error;
        each.precision = choose_precision(evidence, request_.policy);
        const std::optional<double> fp8 = each.fp8_error();
        if (!fp8) continue;
        in_fp8.push_back(*fp8);
        by_policy.push_back(each.precision.relative_error.value_or(half_ulp(DType::f16)));
    }
    report_.in_fp8 = accumulate_errors(in_fp8);
    report_.by_policy = accumulate_errors(by_policy);
    return std::move(report_);
}

}  // namespace

bool ScalingInput::is_tensor() const { return file.extension() == ".npy" || file.extension() == ".npz"; }

ScalingInput scaling_input(const std::string& text) {
    std::error_code ignored;
    const std::size_t sign = text.find('=');
    if (sign != text.npos && sign > 0 && !std::filesystem::exists(text, ignored))
        return {text.substr(0, sign), text.substr(sign + 1)};
    return {std::filesystem::path(text).stem().string(), text};
}

std::optional<double> LayerScaling::fp8_error() const {
    if (tensor) return tensor->modes.front().relative_error;
    return recorded_error;
}

Validated<ScalingReport> assist_scaling(const ScalingRequest& request, ScalingState& state,
                                        const std::function<void(const std::string&)>& begins, std::stop_token stop) {
    Assistance assistance(request, state, std::move(stop));
    for (auto each = request.inputs.begin(); each != request.inputs.end(); ++each) {
        begins(each->file.string());
        const bool is_last = std::none_of(each + 1, request.inputs.end(), [&](const ScalingInput& later) {
            return later.is_tensor() && later.name == each->name;
        });
        const Diagnostics wrong = assistance.take(*each, is_last);
        if (!wrong.empty()) return std::unexpected(wrong);
    }
    return assistance.report();
}

}  // namespace kernelgen

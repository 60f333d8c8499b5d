// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/measure_tensor.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/scaling/block_scale.h"

namespace kernelgen {
namespace {

/// Measures modes of one tensor, one after the other. Of failures it keeps the first.
class TensorMeasurement {
public:
    TensorMeasurement(const NpyReader& tensor, std::stop_token stop) : tensor_(tensor), stop_(std::move(stop)) {}

    std::optional<ModeErrors> with(const StoreMode& mode, const FixedScales& scales) {
        return kept(errors_with(tensor_, mode, scales, stop_));
    }
    std::optional<ModeErrors> with_one(const StoreMode& mode, double scale) {
        return with(mode, {{}, 1, std::span(&scale, 1)});
    }
    std::optional<ModeErrors> in_groups(const StoreMode& mode, const AxisWalk& walk) {
        return kept(errors_in_groups(tensor_, mode, walk, stop_));
    }
    const std::optional<Error>& error() const { return error_; }

private:
    std::optional<ModeErrors> kept(Result<ModeErrors> measured) {
        if (measured) return std::move(*measured);
        if (!error_) error_ = measured.error();
        return std::nullopt;
    }

    const NpyReader& tensor_;
    std::stop_token stop_;
    std::optional<Error> error_;
};

/// A scale for each `group` channels, from the largest amax among them.
std::vector<double> scales_of_channels(const std::vector<double>& amax, std::int64_t group, double margin,
                                       DType format) {
    std::vector<double> scales;
    const auto step = static_cast<std::size_t>(group);
    for (std::size_t first = 0; first < amax.size(); first += step) {
        const auto begin = amax.begin() + static_cast<std::ptrdiff_t>(first);
        scales.push_back(scale_for(margin * *std::max_element(begin, begin + group), format));
    }
    return scales;
}

void append(std::vector<ModeErrors>& modes, std::optional<ModeErrors> mode) {
    if (mode) modes.push_back(std::move(*mode));
}

/// The modes whose scales are the tensor's own; that of one scale is measured already.
void add_own_modes(MeasuredTensor& measured, TensorMeasurement& measurement, const AxisWalk& channels,
                   const AxisWalk& groups, const std::vector<std::int64_t>& sizes, DType format) {
    if (measured.has_channels) {
        const std::vector<double> scales = scales_of_channels(measured.scan.channels, 1, 1, format);
        append(measured.modes, measurement.with({format, ScaleMode::channel}, {channels, 1, scales}));
    }
    for (const std::int64_t size : sizes) {
        append(measured.modes, measurement.in_groups({format, ScaleMode::group, size}, groups));
    }
}

/// The modes whose scales earlier steps gave.
void add_delayed_modes(MeasuredTensor& measured, TensorMeasurement& measurement, const AxisWalk& channels,
                       const ScalingRequest& request, const AmaxHistory& history, DType format) {
    const double margin = request.delayed.margin;
    const StoreMode one{format, ScaleMode::tensor, 0, true};
    append(measured.modes, measurement.with_one(one, scale_for(margin * history.average, format)));
    if (history.channels.empty() || !measured.has_channels) return;
    std::vector<std::int64_t> sizes = {1};
    std::ranges::copy_if(request.groups, std::back_inserter(sizes),
                         [&](std::int64_t each) { return channels.extent % each == 0; });
    for (const std::int64_t size : sizes) {
        const StoreMode mode{format, size == 1 ? ScaleMode::channel : ScaleMode::group, size == 1 ? 0 : size, true};
        const std::vector<double> scales = scales_of_channels(history.channels, size, margin, format);
        append(measured.modes, measurement.with(mode, {channels, size, scales}));
    }
}

std::optional<Error> no_group_divides(const std::vector<std::int64_t>& groups, std::int64_t extent) {
    std::vector<std::string> sizes;
    for (const std::int64_t each : groups) sizes.push_back(std::to_string(each));
    return Error{
        say("none of the groups ({}) divides the {} elements along the axis: give others with --groups, or "
            "another --group-axis",
            join(sizes, ", "), extent)};
}

}  // namespace

Result<MeasuredTensor> measure_tensor(const NpyReader& tensor, TensorScan scan, const ScalingRequest& request,
                                      const AmaxHistory& history, FormatChoice& format, std::stop_token stop) {
    const Result<AxisWalk> channels = walk_along(tensor.header(), request.axis);
    const Result<AxisWalk> groups = walk_along(tensor.header(), request.group_axis);
    if (!channels) return std::unexpected(channels.error());
    if (!groups) return std::unexpected(groups.error());
    MeasuredTensor measured{.dtype = tensor.header().dtype, .shape = tensor.header().shape, .scan = std::move(scan)};
    if (tensor.header().is_reversed) std::ranges::reverse(measured.shape);
    measured.has_channels = channels->lines() > 1 && channels->extent > 1;
    std::vector<std::int64_t> sizes;
    for (const std::int64_t each : request.groups)
        (groups->extent % each == 0 ? sizes : measured.undivided).push_back(each);
    if (sizes.empty() && request.are_groups_asked)
        return std::unexpected(*no_group_divides(request.groups, groups->extent));
    TensorMeasurement measurement(tensor, stop);
    const auto in_format = [&](DType each) {
        return measurement.with_one({each, ScaleMode::tensor}, scale_for(measured.scan.amax, each));
    };
    const std::optional<ModeErrors> e4m3 = in_format(DType::f8e4m3), e5m2 = in_format(DType::f8e5m2);
    const std::optional<ModeErrors> f16 = measurement.with_one({DType::f16, ScaleMode::none}, 1);
    if (measurement.error()) return std::unexpected(*measurement.error());
    format = choose_format(*e4m3, *e5m2);
    if (request.format) use_format(format, *request.format);
    measured.f16_error = f16->relative_error;
    measured.modes.push_back(format.format == DType::f8e4m3 ? *e4m3 : *e5m2);
    add_own_modes(measured, measurement, *channels, *groups, sizes, format.format);
    if (history.average > 0) add_delayed_modes(measured, measurement, *channels, request, history, format.format);
    if (measurement.error()) return std::unexpected(*measurement.error());
    measured.group = choose_group(measured.modes, request.clip_target);
    return measured;
}

}  // namespace kernelgen

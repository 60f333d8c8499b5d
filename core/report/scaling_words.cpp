// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

#include "core/base/text.h"
#include "core/report/scaling_report.h"

namespace kernelgen {
namespace {

constexpr double bins_a_decade = 4;

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::vector<std::string> extents;
    for (const std::int64_t each : shape) extents.push_back(std::to_string(each));
    return "[" + join(extents, ", ") + "]";
}

std::string group_words(const GroupChoice& choice, const ScalingRequest& request, const Phrases& say) {
    const std::string target = share_words(request.clip_target);
    if (!choice.group) return say(Text::scaling_group_none, target, choice.least_clipping);
    return say(choice.is_delayed ? Text::scaling_group : Text::scaling_group_own, *choice.group, target);
}

/// What one scale costs in a format: "E4M3: 0 % clipped, 0.01 % stored as 0, relative error 2.6 %".
std::string cost_words(const ModeErrors& errors, const Phrases& say) {
    return std::format("{}: {} {}, {} {}, {} {}", precision_name(errors.mode.format),
                       share_words(errors.metrics.clip_ratio), say(Text::scaling_clipped), share_words(errors.flushed),
                       say(Text::scaling_flushed), say(Text::scaling_relative), share_words(errors.relative_error));
}

/// Of a histogram: the first bin that is not empty, and the one behind the last.
std::pair<std::size_t, std::size_t> filled_bins(const std::vector<ModeErrors>& modes) {
    std::size_t first = std::numeric_limits<std::size_t>::max(), end = 0;
    for (const ModeErrors& each : modes) {
        const std::vector<std::int64_t>& counts = each.metrics.histogram;
        const auto found = std::ranges::find_if(counts, [](std::int64_t count) { return count > 0; });
        if (found == counts.end()) continue;
        first = std::min(first, static_cast<std::size_t>(found - counts.begin()));
        end = std::max(end, counts.size());
    }
    return {std::min(first, end), end};
}

std::string bar_of(std::int64_t count, double most) {
    static constexpr const char* bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    if (count == 0) return "·";
    const double height = most > 1 ? std::log(static_cast<double>(count)) / std::log(most) : 1;
    return bars[std::clamp(static_cast<int>(height * 7.999), 0, 7)];
}

}  // namespace

std::string share_words(double share) { return std::format("{:.3g} %", 100 * share); }

std::string mode_words(const StoreMode& mode, const Phrases& say) {
    const auto name = [&] {
        switch (mode.mode) {
            case ScaleMode::none: return say(Text::scaling_mode_none);
            case ScaleMode::tensor: return say(Text::scaling_mode_tensor);
            case ScaleMode::channel: return say(Text::scaling_mode_channel);
            case ScaleMode::group: return say(Text::scaling_mode_group, mode.group);
        }
        return std::string();
    }();
    return mode.is_delayed ? say(Text::scaling_mode_delayed, name) : name;
}

std::string format_words(const LayerScaling& layer, const Phrases& say) {
    const FormatChoice& choice = layer.format;
    if (layer.tensor && layer.tensor->scan.amax == 0) return say(Text::scaling_all_zeros);
    switch (choice.reason) {
        case FormatReason::precise: return say(Text::scaling_precise);
        case FormatReason::asked: return say(Text::scaling_asked, precision_name(choice.format));
        case FormatReason::amax_only: return say(Text::scaling_amax_only);
        case FormatReason::channels: return say(Text::scaling_channels);
        case FormatReason::range:
            return say(Text::scaling_range, share_words(choice.e4m3->flushed), share_words(choice.e4m3->relative_error),
                       share_words(choice.e5m2->flushed), share_words(choice.e5m2->relative_error));
    }
    return "";
}

std::string policy_words(const LayerPrecision& layer, const PolicyRule& rule, const Phrases& say) {
    switch (layer.reason) {
        case PolicyReason::critical: return say(Text::scaling_critical);
        case PolicyReason::within_limit:
        case PolicyReason::recorded: return say(Text::scaling_within, share_words(rule.limit));
        case PolicyReason::over_limit: return say(Text::scaling_over, share_words(rule.limit));
        case PolicyReason::not_measured: return say(Text::scaling_not_measured);
    }
    return "";
}

std::string decibel_text(const ModeErrors& errors, const Phrases& say) {
    return errors.relative_error > 0 ? std::format("{:.1f} dB", errors.snr_db()) : say.number(errors.snr_db());
}

std::string title_words(const LayerScaling& layer, const Phrases& say) {
    if (layer.tensor) {
        const TensorScan& scan = layer.tensor->scan;
        return say(Text::scaling_tensor, layer.name, to_string(layer.tensor->dtype), shape_text(layer.tensor->shape),
                   say.count(scan.elements), say.count(scan.zeros), say.number(scan.amax), say.number(scan.least));
    }
    if (!layer.delayed.steps.empty()) return say(Text::scaling_records, layer.name, layer.delayed.steps.size());
    return say(Text::scaling_recorded_error, layer.name, share_words(*layer.recorded_error));
}

std::vector<std::string> mode_notes(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say) {
    const MeasuredTensor& tensor = *layer.tensor;
    std::vector<std::string> notes, undivided;
    if (!tensor.has_channels) notes.push_back(say(Text::scaling_no_channels));
    for (const std::int64_t each : tensor.undivided) undivided.push_back(std::to_string(each));
    if (!undivided.empty()) notes.push_back(say(Text::scaling_undivided, join(undivided, ", ")));
    if (tensor.group) notes.push_back(group_words(*tensor.group, request, say));
    return notes;
}

std::vector<std::string> layer_words(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say) {
    std::vector<std::string> words = {title_words(layer, say)};
    if (layer.tensor || !layer.delayed.steps.empty()) words.push_back(format_words(layer, say));
    if (layer.tensor && layer.tensor->scan.amax > 0)
        words.push_back(say(Text::scaling_one_scale) + " " + cost_words(*layer.format.e4m3, say) + "; " +
                        cost_words(*layer.format.e5m2, say));
    const auto append = [&](const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    if (layer.tensor) append(mode_notes(layer, request, say));
    append(delayed_words(layer, request, say));
    return words;
}

std::vector<std::string> delayed_words(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say) {
    const DelayedRun& run = layer.delayed;
    if (run.judged() == 0) return {};
    std::string line =
        say(Text::scaling_delayed, say.number(request.delayed.smoothing), say.number(request.delayed.margin),
            run.clipped(), run.judged(), share_words(run.clip_ratio()), run.anomalies());
    if (run.channels > 0) line += say(Text::scaling_delayed_channels, share_words(run.channel_clip_ratio()));
    if (layer.next_scale) line += say(Text::scaling_next, say.number(*layer.next_scale));
    std::vector<std::string> lines = {line};
    if (run.anomalies() > 0) lines.push_back(say(Text::scaling_advice_anomaly));
    if (std::max(run.clip_ratio(), run.channel_clip_ratio()) <= request.clip_target) return lines;
    const std::string margin = std::format("{:.2f}", std::ceil(100 * run.needed_margin) / 100);
    lines.push_back(say(run.anomalies() > 0 ? Text::scaling_advice_margin_but : Text::scaling_advice_margin, margin));
    lines.push_back(say(Text::scaling_advice_often));
    return lines;
}

MarkdownTable modes_table(const std::vector<ModeErrors>& modes, const Phrases& say) {
    MarkdownTable table{say.all(Text::scaling_scales, Text::scaling_number, Text::scaling_scale, Text::scaling_max,
                                Text::scaling_mean, "p50", "p90", "p99", Text::scaling_clipped, Text::scaling_flushed,
                                Text::scaling_relative, "SNR", Text::scaling_kl),
                        {}};
    for (const ModeErrors& each : modes) {
        const ErrorMetrics& metrics = each.metrics;
        const std::string scale = each.least_scale == each.most_scale
                                      ? say.number(each.most_scale)
                                      : say.number(each.least_scale) + "…" + say.number(each.most_scale);
        table.rows.push_back(
            {mode_words(each.mode, say), say.count(each.scales), scale, say.number(metrics.max_absolute),
             say.number(metrics.mean_absolute), say.number(metrics.p50_absolute), say.number(metrics.p90_absolute),
             say.number(metrics.p99_absolute), share_words(metrics.clip_ratio), share_words(each.flushed),
             share_words(each.relative_error), decibel_text(each, say), say.number(each.laplace_divergence)});
    }
    return table;
}

ErrorBars error_bars(const std::vector<ModeErrors>& modes) {
    const auto [first, end] = filled_bins(modes);
    if (first == end) return {};
    const auto edge = [&](std::size_t bin) {
        return std::pow(10.0, modes.front().metrics.first_exponent + static_cast<double>(bin) / bins_a_decade);
    };
    ErrorBars all{edge(first), edge(end), {}};
    for (const ModeErrors& each : modes) {
        const std::vector<std::int64_t>& counts = each.metrics.histogram;
        const double most = counts.empty() ? 1 : static_cast<double>(std::ranges::max(counts));
        std::string& bars = all.bars.emplace_back();
        for (std::size_t i = first; i < end; ++i) bars += bar_of(i < counts.size() ? counts[i] : 0, most);
    }
    return all;
}

}  // namespace kernelgen

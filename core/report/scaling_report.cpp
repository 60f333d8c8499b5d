// SPDX-License-Identifier: Apache-2.0
#include "core/report/scaling_report.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <set>

#include "core/base/text.h"
#include "core/scaling/block_scale.h"

namespace kernelgen {
namespace {

using LayOut = std::function<std::string(const MarkdownTable&)>;

constexpr std::size_t steps_told = 12;

MarkdownTable formats_table(const FormatChoice& choice, const Phrases& say) {
    MarkdownTable table{say.all(Text::scaling_format, Text::scaling_scale, Text::scaling_clipped, Text::scaling_flushed,
                                Text::scaling_max, Text::scaling_relative, "SNR"),
                        {}};
    for (const ModeErrors* each : {&*choice.e4m3, &*choice.e5m2})
        table.rows.push_back({precision_name(each->mode.format), say.number(each->most_scale),
                              share_words(each->metrics.clip_ratio), share_words(each->flushed),
                              say.number(each->metrics.max_absolute), share_words(each->relative_error),
                              decibel_text(*each, say)});
    return table;
}

double share_below(const ErrorMetrics& metrics, int exponent) {
    auto below = static_cast<double>(metrics.exact);
    for (std::size_t i = 0; i < metrics.histogram.size(); ++i) {
        if (metrics.first_exponent + static_cast<int>(i / 4) < exponent)
            below += static_cast<double>(metrics.histogram[i]);
    }
    return below / static_cast<double>(metrics.elements);
}

/// The distribution of the errors of all modes, side by side.
MarkdownTable shares_table(const std::vector<ModeErrors>& modes, const ErrorBars& bars, const Phrases& say) {
    MarkdownTable table{{say(Text::scaling_below)}, {}};
    for (const ModeErrors& each : modes) table.header.push_back(mode_words(each.mode, say));
    const int first = static_cast<int>(std::floor(std::log10(bars.from * 1.001))) + 1;
    const int last = static_cast<int>(std::ceil(std::log10(bars.to * 0.999)));
    for (int exponent = first; exponent <= last; ++exponent) {
        std::vector<std::string>& row = table.rows.emplace_back(1, std::format("1e{}", exponent));
        for (const ModeErrors& each : modes) row.push_back(share_words(share_below(each.metrics, exponent)));
    }
    return table;
}

std::string distribution_text(const std::vector<ModeErrors>& modes, const Phrases& say, const LayOut& table) {
    const ErrorBars bars = error_bars(modes);
    if (bars.bars.empty()) return "";
    MarkdownTable drawn{{say(Text::scaling_scales), ""}, {}};
    for (std::size_t i = 0; i < modes.size(); ++i) drawn.rows.push_back({mode_words(modes[i].mode, say), bars.bars[i]});
    return say(Text::scaling_spread, say.number(bars.from), say.number(bars.to)) + "\n\n" + table(drawn) + "\n" +
           say(Text::scaling_shares) + "\n\n" + table(shares_table(modes, bars, say)) + "\n";
}

std::string tensor_text(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say,
                        const LayOut& table) {
    const MeasuredTensor& tensor = *layer.tensor;
    std::string text = "\n" + format_words(layer, say) + "\n\n";
    if (tensor.scan.amax == 0) return text;
    text += say(Text::scaling_one_scale) + "\n\n" + table(formats_table(layer.format, say)) + "\n" +
            say(Text::scaling_modes, precision_name(layer.format.format)) + "\n\n" +
            table(modes_table(tensor.modes, say)) + "\n";
    for (const std::string& each : mode_notes(layer, request, say)) text += each + "\n\n";
    return text + distribution_text(tensor.modes, say, table);
}

/// Of many steps those that jumped, the first that were clipped, and the last ones.
std::vector<DelayedStep> chosen_steps(const std::vector<DelayedStep>& steps) {
    if (steps.size() <= steps_told) return steps;
    std::set<std::size_t> chosen;
    for (const bool DelayedStep::* noted : {&DelayedStep::is_anomaly, &DelayedStep::is_clipped}) {
        for (std::size_t i = 0; i < steps.size() && chosen.size() < steps_told / 2; ++i)
            if (steps[i].*noted) chosen.insert(i);
    }
    for (std::size_t i = steps.size(); chosen.size() < steps_told; --i) chosen.insert(i - 1);
    std::vector<DelayedStep> told;
    for (const std::size_t each : chosen) told.push_back(steps[each]);
    return told;
}

std::string steps_text(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say,
                       const LayOut& table) {
    const std::vector<std::string> lines = delayed_words(layer, request, say);
    if (lines.empty()) return "";
    const MarkdownTable steps = steps_table(layer, chosen_steps(layer.delayed.steps), say);
    std::string text = join(lines, "\n") + "\n\n";
    text += table(steps) + "\n";
    if (steps.rows.size() < layer.delayed.steps.size())
        text += say(Text::scaling_steps_cut, steps.rows.size(), layer.delayed.steps.size()) + "\n\n";
    return text;
}

std::string layer_text(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say,
                       const LayOut& table) {
    std::string text = title_words(layer, say) + "\n";
    if (layer.tensor) text += tensor_text(layer, request, say, table);
    else if (!layer.delayed.steps.empty()) text += "\n" + format_words(layer, say) + "\n\n";
    else text += "\n";
    return text + steps_text(layer, request, say, table);
}

std::string verdict_text(const AccumulatedError& error, const LayerLimits& limits, const Phrases& say) {
    std::vector<std::string> above;
    if (error.exceeds_mean(limits)) above.push_back(say(Text::scaling_above_mean, share_words(limits.mean)));
    if (error.exceeds_whole(limits)) above.push_back(say(Text::scaling_above_whole, share_words(limits.whole)));
    return above.empty() ? say(Text::scaling_within_limits) : join(above, "; ");
}

std::string layers_text(const ScalingReport& report, const ScalingRequest& request, const Phrases& say,
                        const LayOut& table) {
    if (report.in_fp8.layers < 2) return "";
    const LayerLimits& limits = request.limits;
    std::string text =
        say(Text::scaling_layers, report.in_fp8.layers, share_words(limits.mean), share_words(limits.whole)) + "\n\n" +
        table(errors_table(report, limits, say)) + "\n";
    if (report.in_fp8.exceeds_mean(limits)) text += say(Text::scaling_rounding_floor) + "\n\n";
    return text;
}

}  // namespace

MarkdownTable steps_table(const LayerScaling& layer, const std::vector<DelayedStep>& steps, const Phrases& say) {
    MarkdownTable table{
        say.all(Text::scaling_step, "amax", Text::scaling_covered, Text::scaling_scale, Text::scaling_noted), {}};
    for (const DelayedStep& each : steps) {
        std::vector<std::string> noted;
        if (each.is_clipped) noted.push_back(say(Text::scaling_is_clipped));
        if (each.is_anomaly) noted.push_back(say(Text::scaling_is_anomaly));
        table.rows.push_back({std::to_string(each.step), say.number(each.amax), say.number(each.covered),
                              say.number(scale_for(each.covered, layer.format.format)), join(noted, ", ")});
    }
    return table;
}

MarkdownTable errors_table(const ScalingReport& report, const LayerLimits& limits, const Phrases& say) {
    MarkdownTable table{
        say.all(Text::scaling_what, Text::scaling_mean, Text::scaling_sum, Text::scaling_root, Text::scaling_verdict),
        {}};
    for (const auto& [name, error] :
         {std::pair(Text::scaling_in_fp8, report.in_fp8), std::pair(Text::scaling_by_policy, report.by_policy)})
        table.rows.push_back({say(name), share_words(error.mean()), share_words(error.sum),
                              share_words(error.root_of_squares), verdict_text(error, limits, say)});
    return table;
}

MarkdownTable policy_table(const ScalingReport& report, const PolicyRule& rule, const Phrases& say) {
    MarkdownTable table{say.all(Text::scaling_layer, Text::scaling_precision, Text::scaling_scales,
                                Text::scaling_relative, Text::scaling_why),
                        {}};
    for (const LayerScaling& each : report.layers) {
        const LayerPrecision& own = each.precision;
        table.rows.push_back({own.layer, precision_name(own.precision), own.scales ? mode_words(*own.scales, say) : "-",
                              own.relative_error ? share_words(*own.relative_error) : "-",
                              policy_words(own, rule, say)});
    }
    return table;
}

std::string scaling_text(const ScalingReport& report, const ScalingRequest& request, const Phrases& say,
                         const LayOut& table) {
    std::string text;
    for (const LayerScaling& each : report.layers) text += layer_text(each, request, say, table);
    return text + layers_text(report, request, say, table) + say(Text::scaling_policy) + "\n\n" +
           table(policy_table(report, request.policy, say));
}

}  // namespace kernelgen

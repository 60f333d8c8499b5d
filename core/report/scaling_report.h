// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/report/markdown.h"
#include "core/report/phrases.h"
#include "core/scaling/assistant.h"

namespace kernelgen {

std::string share_words(double share);                                    ///< "0.312 %"
std::string mode_words(const StoreMode& mode, const Phrases& say);        ///< "group of 8, delayed"
std::string format_words(const LayerScaling& layer, const Phrases& say);  ///< a sentence with the reason
std::string policy_words(const LayerPrecision& layer, const PolicyRule& rule, const Phrases& say);  ///< the reason
std::string decibel_text(const ModeErrors& errors, const Phrases& say);                             ///< "31.6 dB"

/// The line of a tensor's recorded steps, and what to do where they clipped or jumped. Empty without steps.
std::vector<std::string> delayed_words(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say);

/// What a layer is: the first line of its part.
std::string title_words(const LayerScaling& layer, const Phrases& say);
/// What is told of a measured tensor's modes beside their table: what was left out, and the group for the clip target.
std::vector<std::string> mode_notes(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say);
/// All that is told of a layer without tables, one sentence or more a line.
std::vector<std::string> layer_words(const LayerScaling& layer, const ScalingRequest& request, const Phrases& say);

// Tables, one row for each of what they are named after.
MarkdownTable modes_table(const std::vector<ModeErrors>& modes, const Phrases& say);
MarkdownTable steps_table(const LayerScaling& layer, const std::vector<DelayedStep>& steps, const Phrases& say);
MarkdownTable errors_table(const ScalingReport& report, const LayerLimits& limits, const Phrases& say);
MarkdownTable policy_table(const ScalingReport& report, const PolicyRule& rule, const Phrases& say);

/// How the errors of modes are distributed, four bars for each decade from the first that any mode has to the last;
/// their height is logarithmic.
struct ErrorBars {
    double from = 0, to = 0;
    std::vector<std::string> bars;  ///< of each mode; none where all errors are 0
};
ErrorBars error_bars(const std::vector<ModeErrors>& modes);

/// The whole report as text; `table` lays a table out.
std::string scaling_text(const ScalingReport& report, const ScalingRequest& request, const Phrases& say,
                         const std::function<std::string(const MarkdownTable&)>& table);
nlohmann::ordered_json to_json(const ScalingReport& report, const ScalingRequest& request);

}  // namespace kernelgen

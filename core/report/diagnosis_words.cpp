// SPDX-License-Identifier: Apache-2.0
#include "core/report/diagnosis_words.h"

#include <algorithm>

#include "core/diagnose/gather.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

std::string value_words(const std::string& name, double value, const Phrases& say) {
    const Metric* metric = find_metric(name);
    return metric == nullptr ? say.number(value) : say.value(*metric, value);
}

std::string title_words(const std::string& name, const Phrases& say) {
    const Metric* metric = find_metric(name);
    return metric == nullptr ? name : say(*metric);
}

/// A rule's text with the evidence's values in its braces.
std::string filled(std::string_view text, const Evidence& evidence, const Phrases& say) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t open = text.find('{', begin), close = text.find('}', open);
        result += text.substr(begin, open - begin);
        if (open == std::string_view::npos || close == std::string_view::npos) break;
        const std::string name(text.substr(open + 1, close - open - 1));
        const std::optional<double> value = evidence.value(name);
        result += value ? value_words(name, *value, say) : say(Text::not_measured);
        begin = close + 1;
    }
    return result;
}

Text source_text(EvidenceSource source) {
    switch (source) {
        case EvidenceSource::timing: return Text::source_timing;
        case EvidenceSource::counter: return Text::source_counter;
        case EvidenceSource::roofline: return Text::source_roofline;
        case EvidenceSource::build: return Text::source_build;
        case EvidenceSource::launch: return Text::source_launch;
        case EvidenceSource::source: return Text::source_source;
        case EvidenceSource::definition: break;
    }
    return Text::source_definition;
}

std::string figure_words(const FindingFigure& figure, const Phrases& say) {
    const std::string value = value_words(figure.name, figure.value, say), title = title_words(figure.name, say);
    const std::string source = say(source_text(figure.source));
    if (!figure.threshold) return say(Text::figure, title, value, source);
    return say(Text::figure_with_limit, title, value, value_words(figure.name, *figure.threshold, say), source);
}

std::string gain_words(const Finding& finding, const Phrases& say) {
    if (finding.kind == FindingKind::doubt) return {};
    if (finding.most_gain) return say(Text::most_gain, say.ratio(*finding.most_gain));
    return say(Text::gain_unknown, title_words(finding.no_gain_reason, say));
}

Text confidence_text(Confidence confidence) {
    if (confidence == Confidence::measured) return Text::confidence_measured;
    return confidence == Confidence::derived ? Text::confidence_derived : Text::confidence_possible;
}

/// "a.cu:12, 14; b.cuh:3"
std::string where_words(const std::vector<SourcePlace>& places) {
    std::string words, file;
    for (const SourcePlace& each : places) {
        words += words.empty() ? "" : (each.file == file ? ", " : "; ");
        words += (each.file == file ? "" : each.file + ":") + std::to_string(each.line);
        file = each.file;
    }
    return words;
}

/// What would measure it.
Text remedy_for(const std::string& metric) {
    const auto is_one_of = [&](std::span<const Metric> metrics) {
        return std::ranges::contains(metrics, metric, [](const Metric& each) { return std::string(each.name); });
    };
    if (is_one_of(counter_metrics)) return Text::measure_by_counters;
    return is_one_of(source_metrics) ? Text::measure_by_source : Text::measure_by_run;
}

}  // namespace

std::string title_of_finding(std::string_view id, std::span<const Rule> rules, const Phrases& say) {
    const Rule* rule = find_rule(rules, id);
    if (rule == nullptr) return "";
    const std::string title = say.choose(rule->title.en, rule->title.zh);
    return title.contains('{') ? "" : title;
}

FindingWords words_of(const Finding& finding, const Evidence& evidence, std::span<const Rule> rules,
                      const Phrases& say) {
    FindingWords words{.title = finding.rule,
                       .gain = gain_words(finding, say),
                       .why = {},
                       .figures = {},
                       .confidence = say(confidence_text(finding.confidence)),
                       .confirm = {},
                       .where = where_words(finding.where),
                       .source = {}};
    for (const FindingFigure& each : finding.figures) words.figures.push_back(figure_words(each, say));
    const Rule* rule = find_rule(rules, finding.rule);
    if (rule == nullptr) return words;
    const auto fill = [&](const RuleText& text) { return filled(say.choose(text.en, text.zh), evidence, say); };
    words.title = fill(rule->title);
    words.why = fill(rule->why);
    words.confirm = fill(rule->confirm);
    words.source = rule->source;
    return words;
}

std::vector<std::string> words_of(std::span<const MissingEvidence> missing, const Phrases& say) {
    struct Group {
        std::string reason, titles;
        Text remedy;
    };
    std::vector<Group> groups;
    for (const MissingEvidence& each : missing) {
        const Text remedy = remedy_for(each.name);
        const auto found = std::ranges::find_if(
            groups, [&](const Group& group) { return group.reason == each.reason && group.remedy == remedy; });
        const std::string title = title_words(each.name, say);
        if (found == groups.end()) groups.push_back({each.reason, title, remedy});
        else found->titles += say(Text::title_separator) + title;
    }
    std::vector<std::string> words;
    for (const Group& each : groups) {
        const bool is_known = !each.reason.empty();
        const std::string reason = is_known ? as_prose(say.of_engine(each.reason)) : say(Text::not_measured);
        words.push_back(say(Text::missing_evidence, each.titles, reason, say(each.remedy)));
    }
    return words;
}

std::string words_of(const LayoutAdvice& advice, const Phrases& say) {
    const std::string layout = say(advice.layout == "transposed" ? Text::layout_transposed : Text::layout_tiled);
    return say(Text::layout_advice, in_code(advice.tensor), layout, say.ratio(advice.cost_then),
               say.ratio(advice.cost_now), say.measure(advice.convert_seconds, "s"),
               say.measure(advice.saved_seconds, "s"), say.count(static_cast<std::int64_t>(advice.calls)));
}

std::vector<std::string> words_of(const Indicator& indicator, const Phrases& say) {
    std::string value = indicator.value ? value_words(indicator.name, *indicator.value, say)
                        : indicator.reason.empty()
                            ? say(Text::not_measured)
                            : say(Text::not_measured_because, as_prose(say.of_engine(indicator.reason)));
    if (indicator.lower) value = say(Text::value_with_lower, value, value_words(indicator.name, *indicator.lower, say));
    std::string reached = indicator.value ? say(indicator.reached()) : say(Text::not_measured);
    if (indicator.reachable)
        reached = say(Text::goal_out_of_reach, value_words(indicator.name, *indicator.reachable, say));
    return {title_words(indicator.name, say), value, "> " + value_words(indicator.name, indicator.goal, say), reached};
}

}  // namespace kernelgen

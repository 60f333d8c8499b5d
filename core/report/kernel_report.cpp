// SPDX-License-Identifier: Apache-2.0
#include "core/report/kernel_report.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <functional>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/report/markdown.h"
#include "core/report/report_sections.h"

namespace kernelgen {

namespace {

/// Gives a chart a path, and the line that names it.
std::string shown(const Chart& chart, Pictures& pictures) {
    const std::string path = std::format("chart-{}.svg", pictures.size());
    pictures[path] = chart.svg;
    return heading(4, as_prose(chart.title)) + "![" + as_prose(chart.title) + "](" + path + ")\n\n";
}

std::vector<std::string> summary_row(const ReportedProject& reported, const TellingRound& telling, const Phrases& say) {
    const Round& round = *telling.round;
    const RoundCase* timed = deciding_case(round);
    const std::string unknown = say(Text::not_measured);
    return {as_prose(reported.project.definition.name),
            as_prose(round.device),
            std::to_string(round.number),
            in_code(round.variant) + ": " + configuration_phrase(round.configuration, say),
            in_code(to_string(round.status)),
            round.baseline.empty() ? say(Text::none) : in_code(round.baseline),
            timed ? say.speedup_of(*timed) : unknown,
            telling.of_project ? say(round.target_reached) : "–",
            timed && timed->roofline.has_ceilings ? say.value(metrics::fraction, timed->roofline.fraction) : unknown,
            timed ? say.number(timed->max_absolute_error) : unknown};
}

/// What rows of the summary came to.
struct Overall {
    int right = 0, faster = 0, reached = 0;
    double logarithms = 0;

    void add(const Round& round) {
        const RoundCase* timed = deciding_case(round);
        if (timed == nullptr) return;
        ++right;
        faster += timed->speedup_lower > 1 ? 1 : 0;
        reached += round.target_reached ? 1 : 0;
        logarithms += std::log(timed->speedup);
    }
    std::string mean(const Phrases& say) const { return say.ratio(std::exp(logarithms / right)); }
};

/// How many rows are right, how many are faster, and by how much in the mean.
std::string overall_phrase(const Overall& all, std::size_t rows, const Phrases& say) {
    if (rows == 0) return "";
    if (all.right == 0) return paragraph(say(Text::report_none_right, rows));
    return paragraph(say(Text::report_overall, all.right, rows, all.faster, all.reached, all.mean(say)));
}

std::string report_summary(std::span<const ReportedProject> projects, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_operator, Text::column_device, Text::column_best_round,
                                Text::column_variant, Text::column_status, Text::column_baseline, say.speedup_title(),
                                Text::column_reached, metrics::fraction, metrics::max_absolute),
                        {}};
    Overall overall, overall_others;
    std::size_t rows = 0;
    std::vector<std::string> others;
    std::string untried;
    for (const ReportedProject& each : projects) {
        const std::vector<TellingRound> telling = telling_rounds(each);
        const std::string name = as_prose(each.project.definition.name);
        if (telling.empty()) untried += bullet(say(Text::report_untried, name));
        for (const TellingRound& one : telling) {
            table.rows.push_back(summary_row(each, one, say));
            (one.of_project ? overall : overall_others).add(*one.round);
            rows += one.of_project ? 1 : 0;
            if (!one.of_project)
                others.push_back(say(Text::report_round_on, one.round->number, name, as_prose(one.round->device)));
        }
    }
    std::string text = heading(2, say(Text::summary)) + paragraph(say(Text::report_rule)) + to_markdown(table);
    text += overall_phrase(overall, rows, say);
    if (!others.empty())
        text += paragraph(
            say(Text::report_other_conditions, join(others, "; "), overall_others.faster, overall_others.mean(say)));
    return untried.empty() ? text : text + untried + "\n";
}

std::string gate_section(const ReportedGate& gate, bool has_charts, const Phrases& say, Pictures& pictures) {
    if (gate.markdown.empty()) return "";
    std::string text = heading(3, say(Text::report_gate)) + paragraph(say(Text::gate_rule)) + gate.markdown;
    for (const Chart& each : gate.charts) {
        if (has_charts) text += shown(each, pictures);
    }
    return text;
}

/// Accuracy and indicators of the rounds that speak for the project.
std::string telling_sections(const ReportedProject& reported, const std::vector<TellingRound>& telling,
                             const Phrases& say, const std::function<std::string(const RoundView&)>& section) {
    std::string text;
    for (const TellingRound& each : telling) {
        text += paragraph(
            "**" +
            say(Text::report_round_on, each.round->number, in_code(each.round->variant), as_prose(each.round->device)) +
            "**");
        text += section(view_of(reported.project.folder, reported.history, *each.round));
    }
    return text;
}

std::string project_sections(const ReportedProject& reported, bool has_charts, const Validated<RuleBook>& book,
                             const Phrases& say, Pictures& pictures) {
    std::string text = heading(2, as_prose(reported.project.definition.name));
    if (!reported.project.definition.description.empty())
        text += paragraph(as_prose(reported.project.definition.description));
    const std::vector<TellingRound> telling = telling_rounds(reported);
    if (telling.empty()) return text + paragraph(say(Text::no_rounds));
    const auto indicators = [&](const RoundView& view) { return indicator_tables(view, book, say); };
    const auto accuracy = [&](const RoundView& view) { return accuracy_tables(view, say); };
    text += evolution_section(reported, say);
    if (has_charts) {
        for (const Chart& each : charts_of(reported, say)) text += shown(each, pictures);
    }
    text += heading(3, say(Text::report_indicators)) + telling_sections(reported, telling, say, indicators);
    text += roofline_section(reported.history, say);
    text += heading(3, say(Text::accuracy_heading)) + telling_sections(reported, telling, say, accuracy);
    text += trend_section(telling, reported.history, say) + gate_section(reported.gate, has_charts, say, pictures);
    return text + recommendation_section(reported, telling, book, say) + noted_lessons(reported.history, say);
}

std::string appendix(std::span<const ReportedProject> projects, const Phrases& say) {
    std::string text = heading(2, say(Text::report_appendix));
    for (const ReportedProject& each : projects) {
        const std::vector<TellingRound> telling = telling_rounds(each);
        if (telling.empty()) continue;
        const auto environment = [&](const RoundView& view) { return environment_section(view, say); };
        text += heading(3, as_prose(each.project.definition.name)) + telling_sections(each, telling, say, environment);
    }
    return text + method_section(say);
}

std::string title_of(std::span<const ReportedProject> projects, const Phrases& say) {
    if (projects.size() != 1) return say(Text::report_title_of_several, projects.size());
    return say(Text::report_title, as_prose(projects.front().project.definition.name));
}

}  // namespace

Illustrated illustrated_log(const Project& project, const History& history, Tongue tongue,
                            const Consistency* consistency) {
    const Phrases say(tongue);
    Illustrated document;
    std::vector<Figure> figures;
    for (Chart& each : charts_of({project, history, {}}, say)) {
        figures.push_back({each.title, std::format("chart-{}.svg", figures.size())});
        document.pictures[figures.back().path] = std::move(each.svg);
    }
    document.markdown = optimization_log(project, history, tongue, all_rounds, figures, consistency);
    return document;
}

Illustrated kernel_report(std::span<const ReportedProject> projects, Tongue tongue, bool has_charts) {
    const Phrases say(tongue);
    Illustrated document;
    document.markdown = "# " + title_of(projects, say) + "\n\n" + paragraph(say(Text::report_preface, version)) +
                        report_summary(projects, say);
    const Validated<RuleBook> book = load_rules();
    for (const ReportedProject& each : projects) {
        document.markdown += project_sections(each, has_charts, book, say, document.pictures);
    }
    document.markdown += appendix(projects, say);
    return document;
}

}  // namespace kernelgen

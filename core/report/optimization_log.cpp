// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "core/base/version.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

/// What changed since the parent, where both full records can be read.
void find_change(const std::filesystem::path& folder, RoundView& view) {
    if (!view.round.parent) return;
    if (!view.detail) {
        view.change_problem = view.detail_problem;
        return;
    }
    const Result<RoundDetail> before = load_round_detail(folder, *view.round.parent);
    if (before) {
        view.change =
            change_between(before->definition, before->candidate, view.detail->definition, view.detail->candidate);
    } else {
        view.change_problem = before.error().message;
    }
}

}  // namespace

RoundView view_of(const std::filesystem::path& folder, const History& history, const Round& round) {
    RoundView view;
    view.round = round;
    if (Result<RoundDetail> detail = load_round_detail(folder, round.number)) {
        view.round = detail->round;
        view.detail = std::move(*detail);
    } else {
        view.detail_problem = detail.error().message;
    }
    view.compared_with = compared_with(history, view.round);
    find_change(folder, view);
    const auto lessons = history.lessons.find(round.number);
    if (lessons != history.lessons.end()) view.lessons = lessons->second;
    return view;
}

namespace {

/// `tuning`: a line on the tuning of which the round was recorded; "" where it is of none.
std::string round_section(const RoundView& view, const std::string& tuning, const Validated<RuleBook>& book,
                          const Phrases& say) {
    std::string text = heading(2, say(Text::round_heading, view.round.number));
    if (!view.detail) text += paragraph(say(Text::record_gone, as_prose(say.of_engine(view.detail_problem))));
    text += version_section(view, say) + bottleneck_section(view, book, say) + change_section(view, book, say);
    if (!tuning.empty()) text += tuning + "\n";
    return text + result_section(view, say) + lessons_section(view, say);
}

/// A title as the text of a link, which its brackets must not end.
std::string link_text(std::string_view title) {
    std::string text;
    for (const char c : as_prose(title)) {
        if (c == '[' || c == ']' || c == '\\') text += '\\';
        text += c;
    }
    return text;
}

std::string charts_section(std::span<const Figure> figures, const Phrases& say) {
    if (figures.empty()) return {};
    std::string text = heading(2, say(Text::charts));
    for (const Figure& each : figures) {
        text += heading(3, as_prose(each.title)) + paragraph("![" + link_text(each.title) + "](" + each.path + ")");
    }
    return text;
}

}  // namespace

std::string log_of_round(const Project& project, const History& history, const Round& round, const Phrases& say) {
    return round_section(view_of(project.folder, history, round), tunings_by_round(project.folder, say)[round.number],
                         load_rules(), say);
}

std::string optimization_log(const Project& project, const History& history, Tongue tongue, std::size_t newest,
                             std::span<const Figure> figures, const Consistency* consistency) {
    return optimization_log(project, history, Phrases(tongue), newest, figures, consistency);
}

std::string optimization_log(const Project& project, const History& history, const Phrases& say, std::size_t newest,
                             std::span<const Figure> figures, const Consistency* consistency) {
    std::string text = "# " + say(Text::log_title, as_prose(project.definition.name)) + "\n\n";
    const std::string comparison = comparison_section(load_comparisons(project.folder), say);
    const std::string tunings = tunings_section(project.folder, say);
    if (history.rounds.empty()) return text + paragraph(say(Text::no_rounds)) + comparison + tunings;
    text += paragraph(say(Text::log_preface, version, history.rounds.size()));
    const std::span rounds = std::span(history.rounds).last(std::min(newest, history.rounds.size()));
    text += summary_section(history, say) + dispatch_paragraph(project, say) + charts_section(figures, say);
    text += comparison + tunings + parameter_section(rounds, say);
    if (consistency != nullptr) text += consistency_section(*consistency, say);
    const Validated<RuleBook> book = load_rules();
    std::map<int, std::string> tuned = tunings_by_round(project.folder, say);
    for (const Round& round : rounds)
        text += round_section(view_of(project.folder, history, round), tuned[round.number], book, say);
    return text;
}

}  // namespace kernelgen

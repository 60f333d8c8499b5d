// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/report/applied_words.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

/// Digits of a fingerprint that tell environments apart.
constexpr std::size_t fingerprint_digits = 8;

std::string cases_phrase(const Round& round, const Phrases& say) {
    constexpr std::size_t most_names = 3;
    const bool all = static_cast<std::size_t>(round.case_count) <= round.cases.size();
    if (!all || round.cases.size() > most_names) return say(Text::case_count, std::max<int>(round.case_count, 0));
    std::vector<std::string> names;
    for (const RoundCase& each : round.cases) names.push_back(as_prose(each.binding.name));
    return join(names, ", ");
}

std::string roofline_phrase(const RoundCase& timed, const Phrases& say) {
    if (!timed.roofline.has_ceilings) return say(Text::not_measured);
    const std::string share = say.value(metrics::fraction, timed.roofline.fraction);
    return timed.roofline.implausible ? share + " (" + say(Text::implausible) + ")" : share;
}

std::vector<std::string> group_row(const RoundGroup& group, const Phrases& say) {
    const Round& round = best_of(group);
    const RoundCase& timed = *deciding_case(round);
    return {as_prose(round.device),
            in_code(round.baseline),
            in_code(round.environment.substr(0, fingerprint_digits)),
            cases_phrase(round, say),
            std::to_string(group.size()),
            std::to_string(round.number),
            in_code(round.variant) + ": " + configuration_phrase(round.configuration, say),
            say.speedup_of(timed),
            "≥ " + say.number(round.target_speedup),
            say(round.target_reached),
            roofline_phrase(timed, say)};
}

/// A person's note, or the strategy by which the round was made.
std::string why_made(const Round& round, const Phrases& say) {
    if (!round.note.empty()) return as_prose(say.of_engine(round.note));
    return round.applied ? as_prose(words_of(round, {}, say).strategy) : say(Text::not_noted);
}

/// One round in the table of its variant, whose tunables over all rounds are `names`.
std::vector<std::string> parameter_row(const Round& round, const std::set<std::string>& names, const Phrases& say) {
    const auto code_or_none = [&](const std::string& text) { return text.empty() ? say(Text::none) : in_code(text); };
    std::vector<std::string> row{std::to_string(round.number)};
    for (const std::string& name : names) {
        const auto value = round.configuration.find(name);
        row.push_back(value == round.configuration.end() ? say(Text::none) : std::to_string(value->second));
    }
    const RoundCase* timed = deciding_case(round);
    row.push_back(say(round.change));
    row.push_back(code_or_none(round.baseline));
    row.push_back(code_or_none(round.environment.substr(0, fingerprint_digits)));
    row.push_back(in_code(to_string(round.status)));
    row.push_back(timed ? say.speedup_of(*timed) : say(Text::not_measured));
    row.push_back(timed ? roofline_phrase(*timed, say) : say(Text::not_measured));
    row.push_back(say(round.target_reached));
    row.push_back(why_made(round, say));
    return row;
}

/// The table of one variant on one device.
MarkdownTable parameters_of(const std::vector<const Round*>& rounds, const Phrases& say) {
    std::set<std::string> names;
    for (const Round* round : rounds) {
        for (const auto& [name, value] : round->configuration) names.insert(name);
    }
    MarkdownTable table{say.all(Text::column_round), {}};
    for (const std::string& name : names) table.header.push_back(as_prose(name));
    const auto further =
        say.all(Text::column_change, Text::column_baseline, Text::column_environment, Text::column_status,
                say.speedup_title(), metrics::fraction, Text::column_reached, Text::column_reason);
    table.header.insert(table.header.end(), further.begin(), further.end());
    for (const Round* round : rounds) table.rows.push_back(parameter_row(*round, names, say));
    return table;
}

}  // namespace

const BenchResult* timing_of(const RoundView& view, const Case& binding) {
    if (!view.detail) return nullptr;
    const auto found = std::ranges::find(view.detail->timings, binding, &BenchResult::binding);
    return found == view.detail->timings.end() ? nullptr : &*found;
}

std::string configuration_phrase(const Configuration& configuration, const Phrases& say) {
    if (configuration.empty()) return say(Text::no_tunables);
    std::vector<std::string> values;
    for (const auto& [name, value] : configuration) values.push_back(in_code(name + "=" + std::to_string(value)));
    return join(values, ", ");
}

std::string why_not_timed(const Round& round, const Phrases& say) {
    return round.status == Status::ok ? say(Text::not_timed) : say(Text::not_timed_status, to_string(round.status));
}

namespace {

/// How many rounds failed, and how many were cancelled, which says nothing of their kernels.
std::string outcomes_phrase(const History& history, const Phrases& say) {
    const auto count = [&](auto holds) { return std::ranges::count_if(history.rounds, holds, &Round::status); };
    const auto cancelled = count([](Status status) { return status == Status::cancelled; });
    const auto failed = count([](Status status) { return status != Status::ok; }) - cancelled;
    const std::string text = say(Text::failed_rounds, failed, history.rounds.size());
    return cancelled == 0 ? text : text + say(Text::cancelled_rounds, cancelled);
}

}  // namespace

std::string summary_section(const History& history, const Phrases& say) {
    const std::vector<RoundGroup> groups = groups_of(history);
    MarkdownTable table{say.all(Text::column_device, Text::column_baseline, Text::column_environment,
                                Text::column_cases, Text::column_rounds, Text::column_best_round, Text::column_variant,
                                say.speedup_title(), Text::column_target, Text::column_reached, metrics::fraction),
                        {}};
    for (const RoundGroup& group : groups) table.rows.push_back(group_row(group, say));
    std::string text = heading(2, say(Text::summary));
    text += paragraph(say(groups.empty() ? Text::nothing_timed : Text::summary_rule)) + to_markdown(table);
    return text + paragraph(outcomes_phrase(history, say));
}

std::string dispatch_paragraph(const Project& project, const Phrases& say) {
    if (project.dispatch.empty()) return "";
    std::vector<std::string> rules;
    for (const DispatchRule& each : project.dispatch) rules.push_back(each.when + ": " + each.variant);
    return paragraph(say(Text::dispatch_by_case, in_codes(rules)));
}

std::string parameter_section(std::span<const Round> all, const Phrases& say) {
    std::map<std::pair<std::string, std::string>, std::vector<const Round*>> tables;
    for (const Round& round : all) tables[{round.variant, round.device}].push_back(&round);
    std::string text = heading(2, say(Text::parameter_table));
    for (const auto& [place, rounds] : tables) {
        text += paragraph(say(Text::version_variant, in_code(place.first), as_prose(place.second)));
        text += to_markdown(parameters_of(rounds, say));
    }
    return text;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_diagnosis.h"

#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/optimize/optimize.h"
#include "core/report/diagnosis_words.h"
#include "core/strategy/catalogue.h"

namespace kernelgen::cli {

namespace {

/// The round of this number, or the newest.
Result<RoundDetail> chosen_round(const Project& project, std::optional<int> number) {
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(history.error());
    for (const Said& warning : history->warnings) std::cerr << "kernelgen: " << warning << "\n";
    if (history->rounds.empty()) return fail("no rounds yet: `kernelgen run` makes one");
    return load_round_detail(project.folder, number.value_or(history->rounds.back().number));
}

/// The diagnoses of the cases that were asked for. Errors: a name that no timed case has; nothing was timed.
Result<std::vector<Diagnosis>> chosen_diagnoses(const RoundDetail& detail, const std::vector<std::string>& cases,
                                                const RuleBook& book) {
    std::vector<Diagnosis> diagnoses = diagnose(detail, book.rules);
    std::vector<std::string> names;
    for (const Diagnosis& each : diagnoses) names.push_back(each.evidence.binding.name);
    if (diagnoses.empty())
        return fail(say("no case of round {} was timed, for it ended as `{}`{}", detail.round.number,
                        to_string(detail.round.status), detail.round.reason.empty() ? "" : ": " + detail.round.reason));
    for (const std::string& name : cases) {
        if (!std::ranges::contains(names, name))
            return fail(
                say("round {} has no timed case `{}`; there are: {}", detail.round.number, name, join(names, "; ")));
    }
    std::erase_if(diagnoses, [&](const Diagnosis& each) {
        return !cases.empty() && !std::ranges::contains(cases, each.evidence.binding.name);
    });
    return diagnoses;
}

nlohmann::ordered_json indicator_json(const Indicator& indicator) {
    nlohmann::ordered_json object = {
        {"name", indicator.name}, {"value", nullptr}, {"goal", indicator.goal}, {"reached", indicator.reached()}};
    if (indicator.value) object["value"] = *indicator.value;
    else object["reason"] = indicator.reason;
    if (indicator.lower) object["lower"] = *indicator.lower;
    if (indicator.reachable) object["reachable"] = *indicator.reachable;
    return object;
}

nlohmann::ordered_json words_json(const FindingWords& words) {
    return {{"title", words.title},
            {"gain", words.gain},
            {"why", words.why},
            {"figures", words.figures},
            {"confidence", words.confidence},
            {"confirm", words.confirm},
            {"where", words.where},
            {"source", words.source}};
}

nlohmann::ordered_json case_json(const Diagnosis& diagnosis, const RoundDetail& detail, const RuleBook& book,
                                 const Phrases& say) {
    nlohmann::ordered_json object = to_json(diagnosis);
    for (std::size_t i = 0; i < diagnosis.findings.size(); ++i)
        object["findings"][i]["words"] =
            words_json(words_of(diagnosis.findings[i], diagnosis.evidence, book.rules, say));
    object["indicators"] = nlohmann::ordered_json::array();
    for (const Indicator& each : indicators_of(diagnosis.evidence, detail.round.target_speedup, book.goals))
        object["indicators"].push_back(indicator_json(each));
    return object;
}

/// The strategies that apply to the round as the project has it now; nothing where `run --apply` begins from another.
std::optional<std::vector<std::string>> applicable_to(const Project& project, const RoundDetail& detail) {
    const Validated<OptimizePlan> plan =
        plan_optimization(project, {.run = {.variant = detail.round.variant, .device = detail.round.device}});
    if (!plan) return std::nullopt;
    const Result<RoundDetail> present = round_of_candidate(plan->run);
    if (!present || present->round.number != detail.round.number) return std::nullopt;
    std::vector<std::string> strategies;
    for (const Proposal& each : proposals_for(*plan, *present).all) {
        if (!std::ranges::contains(strategies, each.strategy)) strategies.push_back(each.strategy);
    }
    return strategies;
}

/// The command for a strategy that can be applied; of another what a person can do.
std::string strategy_line(const std::string& strategy, const DiagnosedRound& round, const ApplyText& apply,
                          const Phrases& say) {
    if (round.applicable && std::ranges::contains(*round.applicable, strategy)) return apply(strategy);
    const StrategyText* text = find_strategy_text(strategy);
    if (text == nullptr) return strategy;
    const std::string title = say.choose(std::string(text->title), std::string(text->title_zh));
    const std::string why = say.choose(std::string(text->why), std::string(text->why_zh));
    return say(round.applicable ? Text::strategy_by_hand : Text::strategy_of_round, title, why);
}

void print_finding(std::ostream& out, int number, const Finding& finding, const FindingWords& words,
                   const DiagnosedRound& round, const ApplyText& apply, const Phrases& say) {
    out << number << ". " << words.title << "  [" << finding.rule << "]\n";
    if (!words.gain.empty()) out << "   " << words.gain << "\n";
    out << "   " << words.why << "\n";
    for (const std::string& each : words.figures) out << "   - " << each << "\n";
    out << "   " << say(Text::confidence_line, words.confidence) << "\n";
    if (!words.where.empty()) out << "   " << say(Text::finding_where, words.where) << "\n";
    out << "   " << say(Text::finding_confirm, words.confirm) << "\n";
    for (const std::string& each : finding.strategies) out << "   " << strategy_line(each, round, apply, say) << "\n";
}

/// The strategies that apply and that no finding names.
void print_further(std::ostream& out, const DiagnosedRound& round, const ApplyText& apply, const Phrases& say) {
    const auto is_named = [&](const std::string& strategy) {
        return std::ranges::any_of(round.cases, [&](const Diagnosis& each) {
            return std::ranges::any_of(each.findings, [&](const Finding& finding) {
                return std::ranges::contains(finding.strategies, strategy);
            });
        });
    };
    std::string lines;
    for (const std::string& each : *round.applicable) {
        if (!is_named(each)) lines += "   " + apply(each) + "\n";
    }
    if (!lines.empty()) out << say(Text::further_strategies) << "\n" << lines;
}

void print_case(std::ostream& out, const Diagnosis& diagnosis, const DiagnosedRound& diagnosed, const ApplyText& apply,
                const Phrases& say) {
    const RoundDetail& detail = diagnosed.detail;
    const RuleBook& book = diagnosed.book;
    const Round& round = detail.round;
    out << say(Text::diagnosis_heading, round.number, round.variant, round.device, diagnosis.evidence.binding.name)
        << "\n";
    int number = 0;
    for (const Finding& each : diagnosis.findings)
        print_finding(out, ++number, each, words_of(each, diagnosis.evidence, book.rules, say), diagnosed, apply, say);
    if (diagnosis.findings.empty()) out << say(Text::finding_none) << "\n";
    for (const LayoutAdvice& each : diagnosis.evidence.layouts) out << words_of(each, say) << "\n";
    Table table{{say(Text::column_indicator), say(Text::column_measured), say(Text::column_goal),
                 say(Text::column_goal_reached)},
                {}};
    for (const Indicator& each : indicators_of(diagnosis.evidence, round.target_speedup, book.goals))
        table.rows.push_back(words_of(each, say));
    print_table(out, table);
    for (const std::string& each : words_of(diagnosis.missing, say)) out << each << "\n";
}

}  // namespace

Validated<DiagnosedRound> diagnosed_round(const Project& project, std::optional<int> round,
                                          const std::vector<std::string>& cases) {
    Validated<RuleBook> book = load_rules();
    if (!book) return std::unexpected(book.error());
    Result<RoundDetail> detail = chosen_round(project, round);
    if (!detail) return std::unexpected(as_diagnostics(detail.error()));
    Result<std::vector<Diagnosis>> diagnoses = chosen_diagnoses(*detail, cases, *book);
    if (!diagnoses) return std::unexpected(as_diagnostics(diagnoses.error()));
    auto applicable = applicable_to(project, *detail);
    return DiagnosedRound{std::move(*detail), std::move(*diagnoses), std::move(*book), std::move(applicable)};
}

void print_diagnosis(std::ostream& out, const DiagnosedRound& round, const ApplyText& apply, const Phrases& say) {
    for (const Diagnosis& each : round.cases) print_case(out, each, round, apply, say);
    if (!round.applicable) out << say(Text::not_the_present_round, round.detail.round.number) << "\n";
    else print_further(out, round, apply, say);
}

nlohmann::ordered_json diagnosis_document(const DiagnosedRound& round, const Phrases& say) {
    nlohmann::ordered_json cases = nlohmann::ordered_json::array();
    for (const Diagnosis& each : round.cases) cases.push_back(case_json(each, round.detail, round.book, say));
    nlohmann::ordered_json document = {{"round", round.detail.round.number},
                                       {"variant", round.detail.round.variant},
                                       {"device", round.detail.round.device},
                                       {"applicable", nullptr},
                                       {"cases", cases}};
    if (round.applicable) document["applicable"] = *round.applicable;
    return document;
}

}  // namespace kernelgen::cli

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/diagnose/diagnose.h"
#include "core/project/project_file.h"
#include "core/report/diagnosis_words.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

constexpr const char* diagnose_examples = R"(Examples:
  kernelgen diagnose projects/softmax                    the newest round: why it is slow, and what mending that can gain
  kernelgen diagnose projects/softmax 1 --lang zh        round 1, in Chinese
  kernelgen diagnose projects/softmax --case "4096x4096 f32" --json)";

struct DiagnoseOptions {
    std::string project, language = "en";
    std::optional<int> round;
    std::vector<std::string> cases;
};

/// The round of this number, or the newest.
Result<RoundDetail> chosen_round(const Project& project, std::optional<int> number) {
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(history.error());
    for (const std::string& warning : history->warnings) std::cerr << "kernelgen: " << warning << "\n";
    if (history->rounds.empty()) return fail("no rounds yet: `kernelgen run` makes one");
    return load_round_detail(project.folder, number.value_or(history->rounds.back().number));
}

/// The diagnoses of the cases that were asked for. Errors: a name that no timed case has; nothing was timed.
Result<std::vector<Diagnosis>> chosen_diagnoses(const RoundDetail& detail, const DiagnoseOptions& options,
                                                const RuleBook& book) {
    std::vector<Diagnosis> diagnoses = diagnose(detail, book.rules);
    std::vector<std::string> names;
    for (const Diagnosis& each : diagnoses) names.push_back(each.evidence.binding.name);
    if (diagnoses.empty())
        return fail(std::format("no case of round {} was timed, for it ended as `{}`{}", detail.round.number,
                                to_string(detail.round.status),
                                detail.round.reason.empty() ? "" : ": " + detail.round.reason));
    for (const std::string& name : options.cases) {
        if (!std::ranges::contains(names, name))
            return fail(std::format("round {} has no timed case `{}`; there are: {}", detail.round.number, name,
                                    join(names, "; ")));
    }
    std::erase_if(diagnoses, [&](const Diagnosis& each) {
        return !options.cases.empty() && !std::ranges::contains(options.cases, each.evidence.binding.name);
    });
    return diagnoses;
}

nlohmann::ordered_json indicator_json(const Indicator& indicator) {
    nlohmann::ordered_json object = {
        {"name", indicator.name}, {"value", nullptr}, {"goal", indicator.goal}, {"reached", indicator.reached()}};
    if (indicator.value) object["value"] = *indicator.value;
    else object["reason"] = indicator.reason;
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

void print_finding(int number, const Finding& finding, const FindingWords& words, const std::string& project,
                   const Phrases& say) {
    std::cout << number << ". " << words.title << "  [" << finding.rule << "]\n";
    if (!words.gain.empty()) std::cout << "   " << words.gain << "\n";
    std::cout << "   " << words.why << "\n";
    for (const std::string& each : words.figures) std::cout << "   - " << each << "\n";
    std::cout << "   " << say(Text::confidence_line, words.confidence) << "\n";
    if (!words.where.empty()) std::cout << "   " << say(Text::finding_where, words.where) << "\n";
    std::cout << "   " << say(Text::finding_confirm, words.confirm) << "\n";
    for (const std::string& each : finding.strategies)
        std::cout << "   kernelgen run " << in_shell(project) << " --apply " << each << "\n";
}

void print_diagnosis(const Diagnosis& diagnosis, const RoundDetail& detail, const RuleBook& book,
                     const std::string& project, const Phrases& say) {
    const Round& round = detail.round;
    std::cout << say(Text::diagnosis_heading, round.number, round.variant, round.device,
                     diagnosis.evidence.binding.name)
              << "\n";
    int number = 0;
    for (const Finding& each : diagnosis.findings)
        print_finding(++number, each, words_of(each, diagnosis.evidence, book.rules, say), project, say);
    if (diagnosis.findings.empty()) std::cout << say(Text::finding_none) << "\n";
    for (const LayoutAdvice& each : diagnosis.evidence.layouts) std::cout << words_of(each, say) << "\n";
    Table table{{say(Text::column_indicator), say(Text::column_measured), say(Text::column_goal),
                 say(Text::column_goal_reached)},
                {}};
    for (const Indicator& each : indicators_of(diagnosis.evidence, round.target_speedup, book.goals))
        table.rows.push_back(words_of(each, say));
    print_table(std::cout, table);
    for (const MissingEvidence& each : diagnosis.missing) std::cout << words_of(each, say) << "\n";
}

int diagnose_command(const DiagnoseOptions& options, const Context& context) {
    const Checked<Project> project = load_project(options.project);
    if (!project) return report(context, project.error());
    const Checked<RuleBook> book = load_rules();
    if (!book) return report(context, book.error());
    const Result<RoundDetail> detail = chosen_round(*project, options.round);
    if (!detail) return report(context, detail.error());
    const Result<std::vector<Diagnosis>> diagnoses = chosen_diagnoses(*detail, options, *book);
    if (!diagnoses) return report(context, diagnoses.error());
    const Phrases say(options.language == "zh" ? Tongue::chinese : Tongue::english);
    nlohmann::ordered_json cases = nlohmann::ordered_json::array();
    for (const Diagnosis& each : *diagnoses) {
        if (context.json) cases.push_back(case_json(each, *detail, *book, say));
        else print_diagnosis(each, *detail, *book, options.project, say);
    }
    if (context.json)
        print_json({{"round", detail->round.number},
                    {"variant", detail->round.variant},
                    {"device", detail->round.device},
                    {"cases", cases}});
    return exit_done;
}

}  // namespace

void add_diagnose(CLI::App& app, Context& context) {
    auto options = std::make_shared<DiagnoseOptions>();
    CLI::App* command = app.add_subcommand("diagnose", "Why a round's kernel is slow, and what mending that can gain");
    add_project(*command, options->project);
    command->add_option("ROUND", options->round, "The round's number; the newest where it is left out");
    command->add_option("--case", options->cases, "Only the case of this name (repeatable)");
    command->add_option("--lang", options->language, "en or zh")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
    command->footer(diagnose_examples);
    command->callback([options, &context] { context.exit_status = diagnose_command(*options, context); });
}

}  // namespace kernelgen::cli

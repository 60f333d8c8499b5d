// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/export_texts.h"
#include "app/cli/print.h"
#include "app/cli/print_explanation.h"
#include "app/cli/print_rounds.h"
#include "app/cli/print_tuning.h"
#include "core/project/project_file.h"
#include "core/report/report.h"
#include "core/round/best.h"

namespace kernelgen::cli {

namespace {

/// The project's history with warnings on stderr, or nothing with the error reported.
std::optional<History> open_history(const std::string& path, Project& project, Context& context) {
    Validated<Project> loaded = load_project(path);
    if (!loaded) {
        context.exit_status = report(context, loaded.error());
        return std::nullopt;
    }
    project = std::move(*loaded);
    Result<History> history = load_history(project.folder);
    if (!history) {
        context.exit_status = report(context, history.error());
        return std::nullopt;
    }
    for (const Said& warning : history->warnings) std::cerr << "kernelgen: " << warning << "\n";
    return std::move(*history);
}

void rounds_command(const std::string& path, const Phrases& say, Context& context) {
    Project project;
    const auto history = open_history(path, project, context);
    if (!history) return;
    const TuningList list = list_tunings(project.folder);
    for (const Said& each : list.unread) std::cerr << "kernelgen: " << each << "\n";
    if (context.json) {
        nlohmann::ordered_json document = rounds_document(*history, project);
        document["tunings"] = tunings_document(list.tunings);
        return print_json(document);
    }
    if (history->rounds.empty()) {
        std::cout << say(Text::list_no_rounds, in_shell(path)) << "\n";
    } else {
        print_rounds(std::cout, history->rounds, say);
        std::cout << say.rounds_spent(history->rounds.size(), project.performance.max_rounds) << "\n";
    }
    if (list.tunings.empty()) return;
    std::cout << "\n";
    print_tunings(std::cout, list.tunings, say);
    if (list.tunings.back().can_go_on) std::cout << say(Text::list_go_on, in_shell(path)) << "\n";
}

/// The tuning of which a round was recorded.
std::optional<ListedTuning> tuning_of_round(const std::filesystem::path& folder, int round) {
    const std::vector<ListedTuning> tunings = list_tunings(folder).tunings;
    const auto found = std::ranges::find_if(
        tunings, [&](const ListedTuning& each) { return each.outcome && each.outcome->round == round; });
    return found == tunings.end() ? std::nullopt : std::optional(*found);
}

/// One round in full, as `run` printed it.
void round_command(const std::string& path, int number, Context& context) {
    const Validated<Project> project = load_project(path);
    if (!project) {
        context.exit_status = report(context, project.error());
        return;
    }
    const Result<RoundDetail> detail = load_round_detail(project->folder, number);
    const std::optional<ListedTuning> tuning = tuning_of_round(project->folder, number);
    if (!detail) context.exit_status = report(context, detail.error());
    else if (context.json) {
        nlohmann::ordered_json document = round_document(*detail, true);
        if (tuning) document["tuning"] = tunings_document({*tuning}).front();
        print_json(document);
    } else {
        print_round(std::cout, *detail, true);
        if (tuning) print_tuning_of_round(std::cout, *tuning);
        if (detail->explanation) print_explanation(std::cout, *detail->explanation);
    }
}

/// One round in Chinese, as the log has it.
void chinese_round_command(const std::string& path, int number, Context& context) {
    Project project;
    const auto history = open_history(path, project, context);
    if (!history) return;
    const auto round = std::ranges::find(history->rounds, number, &Round::number);
    if (round != history->rounds.end()) std::cout << log_of_round(project, *history, *round, Phrases(Tongue::chinese));
    else round_command(path, number, context);  // tells what is wrong
}

nlohmann::ordered_json roofline_entry(const Round& round, const RoundCase& each) {
    nlohmann::ordered_json entry = {{"round", round.number},     {"parent", nullptr},
                                    {"device", round.device},    {"variant", round.variant},
                                    {"case", each.binding.name}, {"environment", round.environment}};
    if (round.parent) entry["parent"] = *round.parent;
    entry["point"] = to_json(each.roofline);
    return entry;
}

void roofline_command(const std::string& path, Context& context) {
    Project project;
    const auto history = open_history(path, project, context);
    if (!history) return;
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    Table table{{"round", "case", "device", name_of(metrics::intensity), name_of(metrics::bandwidth_gbps),
                 name_of(metrics::gflops), name_of(metrics::attainable_gbps), name_of(metrics::fraction), "bound"},
                {}};
    for (const Round& round : history->rounds) {
        for (const RoundCase* timed : timed_cases(round)) {
            const RoundCase& each = *timed;
            points.push_back(roofline_entry(round, each));
            const RooflinePoint& place = each.roofline;
            const bool known = place.has_ceilings;
            table.rows.push_back({std::to_string(round.number), each.binding.name, round.device,
                                  value_text(metrics::intensity, place.intensity),
                                  value_text(metrics::bandwidth_gbps, place.bandwidth_gbps),
                                  value_text(metrics::gflops, place.gflops),
                                  known ? value_text(metrics::attainable_gbps, place.attainable_gbps) : "-",
                                  known ? value_text(metrics::fraction, place.fraction) : "-",
                                  known ? (place.memory_bound ? "memory" : "compute") : "not measured"});
        }
    }
    if (context.json) {
        print_json({{"points", points}});
    } else if (table.rows.empty()) {
        std::cout << "no timed rounds yet; next: kernelgen run " << in_shell(path) << "\n";
    } else {
        print_table(std::cout, table);
    }
}

void note_command(const std::string& path, int round, const Lessons& lessons, Context& context) {
    const Validated<Project> project = load_project(path);
    if (!project) {
        context.exit_status = report(context, project.error());
    } else if (lessons.worked.empty() && lessons.failed.empty() && lessons.next.empty()) {
        context.exit_status = report(context, Error{"nothing to note: give --worked, --failed or --next"});
    } else if (const Result<void> noted = record_lessons(project->folder, round, lessons); !noted) {
        context.exit_status = report(context, noted.error());
    } else if (context.json) {
        print_json({{"round", round}, {"worked", lessons.worked}, {"failed", lessons.failed}, {"next", lessons.next}});
    } else {
        std::cout << "noted of round " << round << "\n";
    }
}

}  // namespace

void add_rounds(CLI::App& app, Context& context) {
    auto path = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("rounds", "What was tried, with the outcome of each round");
    auto language = std::make_shared<std::string>("en");
    auto round = std::make_shared<std::optional<int>>();
    add_project(*command, *path);
    command->add_option("ROUND", *round, "Only the round of this number, with all that `run` printed of it");
    command->add_option("--lang", *language, "en or zh; in Chinese a round is told as the log tells it")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
    command->footer(
        "Examples:\n  kernelgen rounds projects/softmax\n  kernelgen rounds projects/softmax --json\n"
        "  kernelgen rounds projects/softmax 3               its checks, times, and what its builds take\n"
        "  kernelgen rounds projects/softmax --lang zh       in Chinese");
    command->callback([=, &context] {
        const Tongue tongue = tongue_named(*language);
        if (!*round) rounds_command(*path, Phrases(tongue), context);
        else if (tongue == Tongue::chinese && !context.json) chinese_round_command(*path, **round, context);
        else round_command(*path, **round, context);
    });
}

void add_roofline(CLI::App& app, Context& context) {
    auto path = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("roofline", "Each timed round's place under the measured ceilings");
    add_project(*command, *path);
    command->footer("Examples:\n  kernelgen roofline projects/softmax\n  kernelgen roofline projects/softmax --json");
    command->callback([path, &context] { roofline_command(*path, context); });
}

void add_note(CLI::App& app, Context& context) {
    auto path = std::make_shared<std::string>();
    auto round = std::make_shared<int>(0);
    auto lessons = std::make_shared<Lessons>();
    CLI::App* command = app.add_subcommand("note", "Record a round's lessons, which the log prints");
    add_project(*command, *path);
    command->add_option("ROUND", *round, "The round's number")->required();
    command->add_option("--worked", lessons->worked, "What worked");
    command->add_option("--failed", lessons->failed, "What failed, and why");
    command->add_option("--next", lessons->next, "What to try next");
    command->footer(
        "Example:\n  kernelgen note projects/bias_add 1 --worked \"16 rows fit L1\" --next \"wider tiles\"");
    command->callback([=, &context] { note_command(*path, *round, *lessons, context); });
}

}  // namespace kernelgen::cli

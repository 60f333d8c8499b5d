// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/gate/check.h"
#include "core/gate/gate_history.h"
#include "core/gate/gate_report.h"
#include "core/gate/gate_store.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

constexpr const char* gate_examples = R"(Examples:
  kernelgen gate projects/gelu projects/softmax --record     store how fast and how accurate they are, in gate.json
  kernelgen gate projects/gelu projects/softmax --check      is one slower? exit status 6 says so
  kernelgen gate projects/gelu --check --threshold 3 --junit gate.xml --markdown gate.md --annotations
  kernelgen gate projects/gelu --record --round 12           store what round 12 measured; nothing is run
  kernelgen gate projects/gelu --trend                       the last 100 checks

--check builds the stored sources again and times them in pairs with the present ones. docs/GATE.md shows its use in CI.)";

struct GateCommandOptions {
    CommonOptions common;
    std::vector<std::string> projects;
    bool record = false, check = false, trend = false;
    std::optional<int> round;
    std::optional<double> threshold_percent;
    bool archived = false, strict = false, annotations = false, write_thresholds = false;
    std::string junit, markdown;
};

/// One project of the command line.
struct Chosen {
    std::string path;
    RunPlan plan;
    GateFile gate;
};

Validated<Chosen> choose(const std::string& path, const GateCommandOptions& options) {
    CommonOptions common = options.common;
    common.project = path;
    Validated<RunPlan> plan = make_plan(common);
    if (!plan) return std::unexpected(plan.error());
    Validated<GateFile> gate = load_gate(plan->project.folder);
    if (!gate) return std::unexpected(gate.error());
    return Chosen{path, std::move(*plan), std::move(*gate)};
}

std::string what(const Chosen& chosen) {
    return std::format("{}: {} on {}", chosen.plan.project.definition.name, chosen.plan.candidate.variant.name,
                       chosen.plan.options.device);
}

/// Runs a round and records it, or reads the one that was asked for.
Result<RoundDetail> round_to_store(const Chosen& chosen, const GateCommandOptions& options, WorkerClient& worker,
                                   const Context& context) {
    const RunPlan& plan = chosen.plan;
    if (options.round) return load_round_detail(plan.project.folder, *options.round);
    RoundDetail detail = run_round(plan, worker, terminal_progress(), context.interrupted.get_token());
    clear_progress();
    if (was_refused(detail)) return std::unexpected(Error{detail.round.reason});
    if (const auto written = record_round(plan.project.folder, detail); !written)
        return std::unexpected(written.error());
    return detail;
}

/// Prints an error of one project. The document of --json is printed at the end, and has what the others gave.
int refused(const Error& error, int status = exit_usage) {
    complain(error);
    return status;
}

/// The cases that were stored before and are not now.
std::vector<std::string> no_longer_stored(const Chosen& chosen, const StoredBaseline& stored) {
    const StoredBaseline* before = chosen.gate.find(stored.implementation.variant.name, stored.device);
    std::vector<std::string> names;
    for (const StoredCase& each : before == nullptr ? std::vector<StoredCase>() : before->cases) {
        if (stored.find(each.binding) == nullptr) names.push_back(each.binding.name);
    }
    return names;
}

int record_one(const Chosen& chosen, const GateCommandOptions& options, WorkerClient& worker, const Context& context,
               nlohmann::ordered_json& document) {
    const Result<RoundDetail> detail = round_to_store(chosen, options, worker, context);
    if (!detail) return refused(detail.error(), exit_not_run);
    const Result<StoredBaseline> stored = store_baseline(chosen.plan.project.folder, *detail);
    if (!stored) {
        complain(Error{say("{}: nothing stored: {}", what(chosen), stored.error().message)});
        const int status = exit_status_of(detail->round.status);
        return status == exit_done ? exit_usage : status;
    }
    if (const std::vector<std::string> gone = no_longer_stored(chosen, *stored); !gone.empty())
        complain(
            Error{say("{}: no longer stored, since the round has no such case: {}", what(chosen), join(gone, ", "))});
    const std::string file = gate_path(chosen.plan.project.folder).string();
    document.push_back({{"project", chosen.plan.project.definition.name},
                        {"variant", stored->implementation.variant.name},
                        {"device", stored->device},
                        {"round", stored->round},
                        {"file", file}});
    if (!context.json) {
        std::cout << std::format("{}: {} on {}: round {} is the baseline, with {} cases, in {}\n",
                                 chosen.plan.project.definition.name, stored->implementation.variant.name,
                                 stored->device, stored->round, stored->cases.size(), file);
    }
    return exit_done;
}

void print_check(const GateCheck& check) {
    std::cout << std::format("{}: {} on {}, against round {}{}\n", check.project, check.variant, check.device,
                             check.round, check.archived ? " by stored numbers" : "");
    if (check.status != Status::ok) std::cout << std::format("  {}: {}\n", to_string(check.status), check.reason);
    else if (!check.reason.empty()) std::cout << "  note: " << check.reason << "\n";
    for (const GatedCase& each : check.cases) {
        std::cout << std::format("  {}: {}: {}\n", each.binding.name, verdict_text(each), checked_text(each));
        if (each.less_accurate()) std::cout << "    " << accuracy_text(each) << "\n";
    }
    if (!check.hint.empty()) std::cout << "  " << check.hint << "\n";
}

int status_of(const GateCheck& check, bool strict) {
    switch (outcome_of(check)) {
        case GateOutcome::failed: return exit_status_of(check.status);
        case GateOutcome::slower: return exit_slower;
        case GateOutcome::ambiguous: return strict ? exit_ambiguous : exit_done;
        case GateOutcome::passed: return exit_done;
    }
    return exit_done;
}

/// What the reports tell of a project that cannot be checked.
GateCheck without_baseline(const Chosen& chosen) {
    return {.project = chosen.plan.project.definition.name,
            .variant = chosen.plan.candidate.variant.name,
            .device = chosen.plan.options.device,
            .time = now_utc(),
            .status = Status::unavailable,
            .reason = "no baseline is stored; run `kernelgen gate " + chosen.path + " --record` first"};
}

/// What the reports tell of a project that cannot be read; the others are checked nevertheless.
GateCheck cannot_be_checked(const std::string& path, const GateCommandOptions& options, const Diagnostics& why) {
    complain(Error{to_string(why)});
    return {.project = path,
            .variant = options.common.run.variant,
            .device = options.common.run.device,
            .time = now_utc(),
            .status = Status::unavailable,
            .reason = to_string(why)};
}

int check_one(const Chosen& chosen, const GateCommandOptions& options, WorkerClient& worker, const Context& context,
              std::vector<GateCheck>& checks) {
    const RunPlan& plan = chosen.plan;
    const StoredBaseline* stored = chosen.gate.find(plan.candidate.variant.name, plan.options.device);
    if (stored == nullptr) {
        checks.push_back(without_baseline(chosen));
        return refused({what(chosen) + ": " + checks.back().reason.text()});
    }
    const auto share = options.threshold_percent.transform([](double percent) { return percent / 100; });
    const GateOptions asked{share, options.archived};
    const auto& [check, kept, warning] =
        check_and_keep(plan, *stored, asked, worker, terminal_progress(), context.interrupted.get_token());
    clear_progress();
    if (context.interrupted.stop_requested()) return exit_cancelled;
    checks.push_back(check);
    if (!context.json) print_check(check);
    if (options.annotations) std::cout << gate_annotations(check, plan.project.folder.string(), options.strict);
    if (!warning.empty()) complain(Error{warning});
    if (!kept) complain(kept.error());
    if (options.write_thresholds && check.status == Status::ok) {
        if (const auto saved = store_thresholds(plan.project.folder, check); !saved) return refused(saved.error());
    }
    return status_of(check, options.strict);
}

/// A check that cannot be done or is wrong is graver than one that is slower, and that than an ambiguous one. A stop
/// is told in any case.
int graver(int a, int b) {
    const auto rank = [](int status) {
        if (status == exit_done) return 0;
        if (status == exit_cancelled) return 4;
        if (status == exit_ambiguous) return 1;
        return status == exit_slower ? 2 : 3;
    };
    return rank(b) > rank(a) ? b : a;
}

/// Writes all that can be written.
int write_reports(const GateCommandOptions& options, const std::vector<GateCheck>& checks) {
    int status = exit_done;
    for (const auto& [path, text] : {std::pair{options.junit, gate_junit(checks, options.strict)},
                                     std::pair{options.markdown, gate_markdown(checks)}}) {
        if (path.empty()) continue;
        if (const auto written = write_file_atomic(path, text); !written) status = refused(written.error());
    }
    return status;
}

int show_trend(std::vector<Chosen>& all, const Context& context) {
    nlohmann::ordered_json document = nlohmann::ordered_json::array();
    for (const Chosen& chosen : all) {
        const auto& [checks, warning] =
            load_checks(chosen.plan.project.folder, chosen.plan.candidate.variant.name, chosen.plan.options.device);
        if (!warning.empty()) complain(Error{warning});
        for (const GateCheck& each : checks) document.push_back(nlohmann::ordered_json(to_json(each)));
        if (!context.json) std::cout << what(chosen) << "\n" << trend_text(checks);
    }
    if (context.json) print_json({{"checks", document}});
    return exit_done;
}

std::optional<std::string> problem_of(const GateCommandOptions& options, const Context& context) {
    const int asked = int{options.record} + int{options.check} + int{options.trend};
    if (asked != 1) return "give one of --record, --check and --trend";
    if (options.threshold_percent && std::isnan(*options.threshold_percent)) return "--threshold: nan is no threshold";
    if (options.annotations && context.json) return "--annotations and --json both print to stdout; give one of them";
    if (options.round && (!options.record || options.projects.size() > 1))
        return "--round is for --record of one project";
    const bool of_check = options.archived || options.strict || options.annotations || options.write_thresholds ||
                          !options.junit.empty() || !options.markdown.empty() || options.threshold_percent;
    if (of_check && !options.check)
        return "--threshold, --archived, --strict, --annotations, --junit, --markdown and --write-thresholds are for "
               "--check";
    return std::nullopt;
}

int gate_command(const GateCommandOptions& options, Context& context) {
    if (const auto problem = problem_of(options, context)) return report(context, Error{*problem});
    std::vector<Chosen> all;
    std::vector<GateCheck> checks;
    for (const std::string& path : options.projects) {
        Validated<Chosen> chosen = choose(path, options);
        if (chosen) all.push_back(std::move(*chosen));
        else if (options.check) checks.push_back(cannot_be_checked(path, options, chosen.error()));
        else return report(context, chosen.error());
    }
    if (options.trend) return show_trend(all, context);
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    nlohmann::ordered_json recorded = nlohmann::ordered_json::array();
    int status = checks.empty() ? exit_done : exit_usage;
    for (const Chosen& chosen : all) {
        const int own = options.record ? record_one(chosen, options, **worker, context, recorded)
                                       : check_one(chosen, options, **worker, context, checks);
        status = graver(status, own);
        if (context.interrupted.stop_requested()) status = exit_cancelled;
        if (status == exit_cancelled) break;
    }
    if (options.check) status = graver(status, write_reports(options, checks));
    if (!context.json) return status;
    nlohmann::ordered_json listed = nlohmann::ordered_json::array();
    for (const GateCheck& each : checks) listed.push_back(nlohmann::ordered_json(to_json(each)));
    if (options.record) print_json({{"recorded", recorded}});
    else print_json({{"checks", listed}});
    return status;
}

}  // namespace

void add_gate(CLI::App& app, Context& context) {
    auto options = std::make_shared<GateCommandOptions>();
    CLI::App* command =
        app.add_subcommand("gate", "Store how fast variants are, and find out whether they became slower");
    command->add_option("PROJECT", options->projects, "Folders of projects, or their project.json")->required();
    command->add_flag("--record", options->record, "Run a round and store it as the baseline, in gate.json");
    command->add_flag("--check", options->check, "Compare with the stored baseline");
    command->add_flag("--trend", options->trend, "Show the last 100 checks");
    command->add_option("--round", options->round, "With --record: store this round, and run none")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--variant", options->common.run.variant,
                        "The variant; default: the first that is not the baseline");
    command->add_option("--device", options->common.run.device, "Where it runs: cpu, cuda:0, …")->capture_default_str();
    command->add_option("--case", options->common.run.cases, "Only this case; repeatable")->allow_extra_args(false);
    command->add_option("--budget", options->common.budget, "Time for the samples of a case; default: the project's");
    command
        ->add_option("--threshold", options->threshold_percent,
                     "The smallest change that counts, in percent; default: stored, else learned from earlier checks")
        ->check(CLI::Range(0.1, 99.0));
    command->add_flag("--archived", options->archived,
                      "Compare with the stored numbers only; under 5 % at most ambiguous");
    command->add_flag("--strict", options->strict, "Exit with 7 where a case is ambiguous");
    command->add_flag("--write-thresholds", options->write_thresholds,
                      "Store the thresholds and the limits of the errors that were used, so that they can be edited");
    command->add_flag("--annotations", options->annotations, "Print workflow commands of GitHub Actions");
    command->add_option("--junit", options->junit, "Write a JUnit XML report there");
    command->add_option("--markdown", options->markdown, "Write a Markdown report there");
    command->footer(gate_examples);
    command->callback([options, &context] { context.exit_status = gate_command(*options, context); });
}

}  // namespace kernelgen::cli

// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <streambuf>

#include "app/cli/apply.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_explanation.h"
#include "app/cli/print_summary.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

constexpr const char* run_examples = R"(Examples:
  kernelgen run projects/bias_add
  kernelgen run projects/bias_add --set BLOCK_M=16 --set BLOCK_N=256 --note "smaller tiles fit the L1 cache"
  kernelgen run projects/softmax --case P=1000,D=333,dtype=bf16 --require-target
  kernelgen run projects/softmax --baseline round:3   is it faster than round 3? both are built and timed in pairs
  kernelgen run projects/softmax --baseline git:main~5
  kernelgen run projects/softmax --apply more_stages --dry-run   what a strategy would change, and gain
  kernelgen run projects/softmax --budget 1s          a quick look: fewer samples, wider intervals
  kernelgen run --each problems                       every project in this folder, then their summary
  kernelgen run projects/gelu --worker ssh box kernelgen worker)";

struct RunCommandOptions {
    CommonOptions common;
    bool require_target = false, each = false;
    ApplyOptions apply;
};

/// The rounds that the project has, with the one that was just recorded; nothing where they cannot be read.
std::optional<std::size_t> rounds_of(const Project& project) {
    const Result<History> history = load_history(project.folder);
    return history ? std::optional(history->rounds.size()) : std::nullopt;
}

/// A round that was run, and whether it could be recorded.
struct Recorded {
    RoundDetail detail;
    Result<void> written;
};

Recorded run_and_record(const RunPlan& plan, WorkerClient& worker, const Context& context) {
    Recorded done{run_round(plan, worker, terminal_progress(), context.interrupted.get_token()), {}};
    clear_progress();
    if (!was_refused(done.detail)) done.written = record_round(plan.project.folder, done.detail);
    return done;
}

/// The likely causes of wrong results, and how to see more of them.
void print_why(const RunPlan& plan, const Recorded& done) {
    print_causes_in_short(std::cout, *done.detail.explanation);
    const std::string project = in_shell(plan.project.folder.string());
    std::cout << "  evidence and a map: kernelgen verify " << project << " --explain";
    if (done.written) std::cout << ", or kernelgen rounds " << project << " " << done.detail.round.number;
    std::cout << "\n  the call alone: kernelgen repro " << project << "\n";
}

/// What was done, and how many of the planned rounds are spent.
void tell_all(const RunPlan& plan, const std::vector<Recorded>& all, const Context& context) {
    const std::optional<std::size_t> spent = rounds_of(plan.project);
    std::vector<nlohmann::ordered_json> documents;
    for (const Recorded& each : all) {
        if (!context.json) {
            print_round(std::cout, each.detail, each.written.has_value());
            if (each.detail.explanation) print_why(plan, each);
            continue;
        }
        nlohmann::ordered_json& document =
            documents.emplace_back(round_document(each.detail, each.written.has_value()));
        if (spent) document["rounds_spent"] = *spent;
        document["max_rounds"] = plan.project.performance.max_rounds;
    }
    if (context.json) print_variants_json(documents);
    else if (spent) std::cout << spent_text(*spent, plan.project) << "\n";
}

Error refusal_of(const RoundDetail& detail) { return {"not run, and no round recorded: " + detail.round.reason}; }

int status_of(const Recorded& done, bool requires_target) {
    if (!done.written) {
        complain(Error{say("the round was not recorded: {}", done.written.error().message)});
        return exit_usage;
    }
    const int status = exit_status_of(done.detail.round.status);
    if (status == exit_done && requires_target && !done.detail.round.target_reached) return exit_target_missed;
    return status;
}

int apply_command(RunCommandOptions& options, Context& context) {
    if (options.apply.strategy.empty())
        return report(context, Diagnostics{{"", "--dry-run", "shows what a strategy would change: name one",
                                            "such as --apply larger_tile; `kernelgen optimize PROJECT --dry-run` "
                                            "lists those that apply"}});
    const Validated<Project> project = load_chosen(options.common);
    if (!project) return report(context, project.error());
    options.apply.require_target = options.require_target;
    return apply_strategy(*project, options.common.run, options.apply, context);
}

int run_project(RunCommandOptions& options, Context& context) {
    const auto begun = begin_run(options.common, context);
    if (!begun) return begun.error();
    std::vector<Recorded> all;
    for (const RunPlan& each : begun->plans) {
        all.push_back(run_and_record(each, *begun->worker, context));
        if (was_refused(all.back().detail)) return report(context, refusal_of(all.back().detail), exit_not_run);
        if (context.interrupted.stop_requested()) break;
    }
    tell_all(begun->plan, all, context);
    int status = exit_done;
    for (const Recorded& each : all) {
        const int own = status_of(each, options.require_target);
        if (status == exit_done) status = own;
    }
    return status;
}

/// While it exists, what is printed to stdout goes to stderr, where that is `wanted`.
class PrintsToStderr {
public:
    explicit PrintsToStderr(bool wanted) {
        if (wanted) std::cout.rdbuf(std::cerr.rdbuf());
    }
    PrintsToStderr(const PrintsToStderr&) = delete;
    PrintsToStderr& operator=(const PrintsToStderr&) = delete;
    ~PrintsToStderr() { std::cout.rdbuf(before_); }

private:
    std::streambuf* before_ = std::cout.rdbuf();
};

/// Runs the projects of a folder one after another, whatever becomes of each; returns the first status that is not 0.
int run_projects(const std::vector<std::filesystem::path>& folders, RunCommandOptions options, Context& context) {
    Context printing = {.program = context.program, .workers = context.workers, .interrupted = context.interrupted};
    int status = exit_done;
    for (std::size_t i = 0; i < folders.size() && !context.interrupted.stop_requested(); ++i) {
        std::cout << std::format("[{}/{}] {}\n", i + 1, folders.size(), folders[i].string()) << std::flush;
        options.common.project = folders[i].string();
        const int own = run_project(options, printing);
        if (status == exit_done) status = own;
    }
    return context.interrupted.stop_requested() ? static_cast<int>(exit_cancelled) : status;
}

/// All projects of a folder, and then their summary; with --json that is the document.
int run_each(const RunCommandOptions& options, Context& context) {
    const auto folders = projects_in(options.common.project);
    if (!folders)
        return report(context, Diagnostics{{options.common.project, "--each", folders.error().message,
                                            "kernelgen import --each FOLDER -o DIR makes projects of problems"}});
    int status = exit_done;
    {
        const PrintsToStderr elsewhere(context.json);
        status = run_projects(*folders, options, context);
    }
    const Result<FolderSummary> summary = summarise_folder(options.common.project);
    if (!summary) return report(context, summary.error());
    if (context.json) print_json(summary_document(*summary));
    else std::cout << "\n", print_summary(*summary, false);
    return status;
}

int run_command(RunCommandOptions& options, Context& context) {
    options.common.run.explain = true;
    const bool applies = !options.apply.strategy.empty() || options.apply.dry_run;
    if (applies && options.each)
        return report(context, Diagnostics{{"", "--each", "a strategy is for one project", "leave out --apply"}});
    if (applies) return apply_command(options, context);
    const InterruptGuard guard(context.interrupted);
    return options.each ? run_each(options, context) : run_project(options, context);
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunCommandOptions>();
    CLI::App* command = app.add_subcommand("run", "Verify, then time against the baseline, and record a round");
    add_common(*command, options->common);
    add_timing(
        *command, options->common,
        "What to time against, for this run: a variant, round:N as it was recorded, or git:REV as it was committed");
    command->add_option("--from", options->common.run.from,
                        "Run the variant as it was: round:N, or git:REV such as git:HEAD~1; the folder's files stay");
    command->add_option("--note", options->common.run.note, "Why this round is made; the log prints it");
    command->add_option("--dump", options->common.run.dump_folder, "Write a failing case's tensors there as .npy");
    command->add_flag("--each", options->each, "PROJECT is a folder of projects: run each, then tell their summary");
    command->add_flag("--require-target", options->require_target, "Exit with 5 where the target is not reached");
    command->add_option("--apply", options->apply.strategy,
                        "Change the variant's last round by this strategy, such as larger_tile, and run that");
    command->add_flag("--dry-run", options->apply.dry_run, "With --apply: show the difference, and run nothing");
    command->footer(run_examples);
    command->callback([options, &context] { context.exit_status = run_command(*options, context); });
}

}  // namespace kernelgen::cli

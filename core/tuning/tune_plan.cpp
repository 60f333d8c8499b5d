// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ranges>

#include "core/base/duration.h"
#include "core/base/text.h"
#include "core/engine/usage.h"
#include "core/project/project_file.h"
#include "core/project/why_not_on.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/own_options.h"
#include "core/tuning/resume.h"

namespace kernelgen {

namespace {

constexpr double usual_budget_seconds = 300;

Said variants_with_tunables(const Project& project, const std::string& device) {
    std::vector<std::string> names;
    for (const Variant& each : project.variants) {
        if (!each.tunables.empty() && runs_on(each, device)) names.push_back(each.name);
    }
    return names.empty() ? Said("no variant of this project has tunables there")
                         : say("these have some: {}", join(names, ", "));
}

std::string listed(const std::vector<std::int64_t>& values) {
    std::vector<std::string> texts;
    for (const std::int64_t each : values) texts.push_back(std::to_string(each));
    return join(texts, ", ");
}

/// Reports chosen tunables that the variant does not have, and chosen values that a tunable does not have.
void check_chosen(const Variant& variant, const ChosenValues& chosen, Diagnostics& diagnostics) {
    std::vector<std::string> names;
    for (const Tunable& each : variant.tunables) names.push_back(each.name);
    for (const auto& [name, values] : chosen) {
        const auto tunable = std::ranges::find(variant.tunables, name, &Tunable::name);
        if (tunable == variant.tunables.end()) {
            diagnostics.push_back(
                usage("--tunable", say("`{}` has no tunable `{}`", variant.name, name), choice(name, names)));
            continue;
        }
        if (values.empty())
            diagnostics.push_back(usage("--tunable", say("no value of `{}` takes part", name),
                                        say("choose some of: {}", listed(tunable->values))));
        for (const std::int64_t value : values) {
            if (std::ranges::contains(tunable->values, value)) continue;
            diagnostics.push_back(usage("--tunable", say("`{}` cannot be {}", name, value),
                                        say("it can be: {}", listed(tunable->values))));
        }
    }
}

void check_plan(const TunePlan& plan, Diagnostics& diagnostics) {
    const Variant& variant = plan.run.candidate.variant;
    const std::string& device = plan.run.options.device;
    if (!runs_on(variant, device)) {
        diagnostics.push_back(
            usage("--variant", why_not_on(variant, device), variants_with_tunables(plan.run.project, device)));
        return;
    }
    if (variant.tunables.empty()) {
        diagnostics.push_back(usage("--variant", say("`{}` has no tunables: nothing to tune", variant.name),
                                    variants_with_tunables(plan.run.project, device)));
    }
    if (!plan.run.baseline) {
        diagnostics.push_back(usage("--device", say("the project names no baseline for `{}`", device),
                                    say("name one: --baseline VARIANT; {}",
                                        say("there are: {}", join(names_of(plan.run.project.variants), ", ")))));
    }
    check_chosen(variant, plan.options.chosen, diagnostics);
    if (!(plan.budget_seconds > 0)) {
        diagnostics.push_back(usage("--budget", "the budget must be above 0", "such as --budget 5m"));
    }
    if (plan.budget_seconds > longest_duration) {  // of an agent, or of a file that was edited
        diagnostics.push_back(usage("--budget", "the budget must be at most a year", "such as --budget 5m"));
    }
    if (plan.options.objective.energy > 0 && runs_on_host(device)) {
        diagnostics.push_back(usage("--objective", "a CPU does not tell its energy", "tune for `time` or `memory`"));
    }
    if (plan.options.evaluations.value_or(1) < 1) {
        diagnostics.push_back(usage("--evaluations", "at least one configuration must be tried", ""));
    }
}

/// The project's last tuning that can be read, where its command can go on; or why a newer one cannot be read. A
/// process that was killed may have left an empty file, which is passed over.
Result<Tuning> last_tuning(const Project& project) {
    std::error_code error;
    std::optional<Error> unread, empty;
    for (const int number : std::views::reverse(tuning_numbers(project.folder))) {
        const bool is_empty = std::filesystem::file_size(tuning_path(project.folder, number), error) == 0;
        Result<Tuning> tuning = load_tuning(project.folder, number);
        if (std::optional<Error>& why = is_empty ? empty : unread; !tuning && !why) why = tuning.error();
        if (!tuning) continue;
        if (can_go_on(project.folder, *tuning)) return tuning;
        if (unread) break;
        return fail(say("tuning {} has ended", number));
    }
    if (!unread && !empty) return fail("there is no tuning yet");
    return std::unexpected(unread ? *unread : *empty);
}

/// The options of the tuning that goes on.
void take_options(const TuningHead& head, TuneOptions& options, Diagnostics& diagnostics) {
    options.run.variant = head.variant;
    options.run.device = head.device;
    options.run.baseline = head.baseline;
    if (head.timeout_seconds > 0) options.run.timeout_seconds = head.timeout_seconds;
    options.run.cases.clear();
    options.run.changes = head.settings;
    options.evaluations = head.evaluations;
    options.seed = head.seed;
    if (options.history.empty()) options.history = head.history;
    options.chosen = head.chosen;
    const std::optional<Strategy> strategy = parse_strategy(head.strategy);
    const Result<Objective> objective = parse_objective(head.objective);
    if (!strategy || !objective)
        diagnostics.push_back(usage("--resume", say("tuning {} is of a newer version", head.number), ""));
    if (strategy) options.strategy = *strategy;
    if (objective) options.objective = *objective;
}

/// The budget of a command. Older files have only the budget of each case.
double budget_of_command(const TuningHead& head) {
    const double of_cases = head.budget_seconds * static_cast<double>(head.cases.size());
    return head.command_budget_seconds > 0 ? head.command_budget_seconds : of_cases;
}

/// The run of the tuning that goes on, with the sources on disk. Cases that have not begun begin as this one did,
/// unless rules give them configurations of their own.
Validated<RunPlan> run_that_goes_on(Project project, const TuneOptions& options, const TuningHead& head) {
    project.cases = head.cases;
    Validated<RunPlan> run = plan_run(project, options.run);
    if (run && run->candidate.variant.configurations.empty()) run->candidate.configuration = head.incumbent;
    return run;
}

/// Says what has changed in the project since the tuning began, so that its results no longer hold; nothing where they
/// do.
std::optional<Diagnostic> what_changed(const RunPlan& run, const TuningHead& head) {
    const bool has_all = std::ranges::all_of(run.candidate.variant.tunables,
                                             [&](const Tunable& each) { return head.incumbent.contains(each.name); });
    const bool is_same =
        has_all && (head.setup_hash.empty() || setup_hash(run.project, head.variant) == head.setup_hash);
    Said changed;
    if (hash_of_sources(run.candidate) != head.source_hash)
        changed = say("the sources of `{}` have changed since tuning {} began", head.variant, head.number);
    else if (!is_same)
        changed = say("the definition, launch, tunables or restrictions of `{}` have changed since tuning {} began",
                      head.variant, head.number);
    else return std::nullopt;
    return usage("--resume", std::move(changed), "begin another tuning: leave --resume out");
}

/// Reads the files, whose paths become absolute: a tuning that goes on may do so from another folder.
void read_history(TunePlan& plan, Diagnostics& diagnostics) {
    for (std::string& file : plan.options.history) {
        file = std::filesystem::absolute(file).string();
        Validated<Recording> recording = load_recording(file);
        if (recording) plan.history.push_back(std::move(*recording));
        else diagnostics.insert(diagnostics.end(), recording.error().begin(), recording.error().end());
    }
}

Validated<TunePlan> checked_plan(TunePlan plan) {
    Diagnostics diagnostics;
    check_plan(plan, diagnostics);
    read_history(plan, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return plan;
}

}  // namespace

std::string setup_hash(const Project& project, const std::string& name) {
    const Variant* found = project.find_variant(name);
    if (found == nullptr) return "";
    Variant variant = *found;
    for (Tunable& each : variant.tunables) each.value = 0;
    variant.configurations.clear();
    variant.generated.clear();
    return hash_hex(to_json(project.definition).dump() + to_json(variant).dump());
}

Validated<TunePlan> plan_resumed(const Project& project, const TuneOptions& asked, const TakeTexts& take_texts) {
    const Result<Tuning> last = last_tuning(project);
    if (!last)
        return std::unexpected(Diagnostics{
            usage("--resume", say("nothing to resume: {}", last.error().message), "to begin one, leave --resume out")});
    TuneOptions options = asked;
    Diagnostics diagnostics;
    check_own_options(asked, last->head, project, diagnostics);
    take_options(last->head, options, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    Validated<RunPlan> run = run_that_goes_on(project, options, last->head);
    if (!run) return std::unexpected(run.error());
    if (const Result<void> taken = take_texts(*run, last->head); !taken)
        return std::unexpected(as_diagnostics(taken.error()));
    if (auto changed = what_changed(*run, last->head)) return std::unexpected(Diagnostics{std::move(*changed)});
    const double budget = asked.budget_seconds.value_or(budget_of_command(last->head));
    return checked_plan({std::move(*run), std::move(options), budget, last->head.number, {}});
}

Validated<TunePlan> plan_tuning(const Project& project, const TuneOptions& options) {
    if (options.resume)
        return plan_resumed(project, options, [](RunPlan&, const TuningHead&) { return Result<void>(); });
    Validated<RunPlan> run = plan_run(project, options.run);
    if (!run) return std::unexpected(std::move(run.error()));
    return checked_plan({std::move(*run), options, options.budget_seconds.value_or(usual_budget_seconds), {}, {}});
}

}  // namespace kernelgen

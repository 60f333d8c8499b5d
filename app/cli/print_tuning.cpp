// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_tuning.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/tune/importance.h"
#include "core/tune/pareto.h"

namespace kernelgen::cli {

using nlohmann::ordered_json;

namespace {

/// "1:05"
std::string clock_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::clamp(seconds, 0.0, 1e15));
    return std::format("{}:{:02}", whole / 60, whole % 60);
}

/// Seconds until the budget is spent, or until nothing is left to try at the present rate.
double seconds_left(const TuneState& state) {
    const double until_budget = state.budget_seconds - state.elapsed_seconds;
    if (state.tried == 0) return until_budget;
    return std::min(until_budget, static_cast<double>(state.left) * state.elapsed_seconds / state.tried);
}

}  // namespace

std::string line_of(const TuneState& state) {
    if (state.budget_seconds == 0) return state.case_name + ": " + state.stage;
    std::string line = std::format("{}: {} done", state.case_name, state.tried);
    if (state.failed > 0) line += std::format(", {} failed", state.failed);
    if (state.pruned > 0) line += std::format(", {} pruned", state.pruned);
    line += std::format(", {} left", state.left);
    if (state.best_seconds > 0) line += ", best " + seconds_text(state.best_seconds);
    if (state.best_seconds > 0 && state.incumbent_seconds > 0)
        line += std::format(" ({:.2f}x)", state.incumbent_seconds / state.best_seconds);
    if (state.workers != 1) line += std::format(", {} workers", state.workers);
    return line + std::format(", {} to go, {}", clock_text(seconds_left(state)), state.stage);
}

namespace {

/// `name`: of the cost's key.
ordered_json pareto_document(const std::vector<Tried>& tried, TriedCost cost, const char* name) {
    ordered_json document = ordered_json::array();
    for (const std::size_t place : pareto_front(tried, cost)) {
        const Tried& each = tried[place];
        document.push_back({{"configuration", each.configuration}, {"seconds", each.seconds}, {name, each.*cost}});
    }
    return document;
}

}  // namespace

ordered_json tuning_document(const CaseTuning& done) {
    const TuningHead& head = done.tuning.head;
    const auto ok = std::ranges::count_if(done.tuning.tried, [](const Tried& each) { return each.is_ok(); });
    ordered_json document = {
        {"number", head.number},
        {"case", head.binding.name},
        {"variant", head.variant},
        {"device", head.device},
        {"strategy", head.strategy},
        {"seed", head.seed},
        {"configurations", head.configurations},
        {"tried", done.tuning.tried.size()},
        {"failed", done.tuning.tried.size() - static_cast<std::size_t>(ok)},
        {"pruned", ordered_json(to_json(head.pruned))},
        {"pareto", pareto_document(done.tuning.tried, &Tried::memory_bytes, "memory_bytes")},
        {"pareto_energy", pareto_document(done.tuning.tried, &Tried::energy_joules, "energy_joules")},
        {"outcome", nullptr}};
    if (done.tuning.outcome) document["outcome"] = ordered_json(to_json(*done.tuning.outcome));
    if (!done.tuning.warnings.empty()) document["warnings"] = done.tuning.warnings;
    if (!done.why_not_kept.empty()) document["not_adopted"] = done.why_not_kept;
    if (const std::optional<Importance> importance = importance_of(done.tuning)) {
        document["importance"] = {{"explained", importance->explained}, {"shares", ordered_json::object()}};
        for (const Importance::OfTunable& each : importance->tunables)
            document["importance"]["shares"][each.name] = each.share;
    }
    if (done.round) document["round"] = round_document(*done.round, true);
    return document;
}

namespace {

void print_outcome(std::ostream& out, const TuningOutcome& outcome) {
    out << "  " << to_words(outcome) << ": " << configuration_text(outcome.configuration) << "\n  " << outcome.reason
        << "\n";
    if (outcome.runner_up) out << "  runner-up: " << configuration_text(*outcome.runner_up) << "\n";
    if (outcome.waited_seconds > 0)
        out << std::format("  waited {:.0f} s for another kernelgen, beside the budget\n", outcome.waited_seconds);
    for (const Said& each : outcome.left_out) out << "  left out for want of time: " << each << "\n";
}

/// Prints the Pareto front; nothing where one configuration is the fastest and costs the least.
void print_pareto(std::ostream& out, const std::vector<Tried>& tried, TriedCost cost, const char* name,
                  const char* unit) {
    const std::vector<std::size_t> front = pareto_front(tried, cost);
    if (front.size() < 2) return;
    out << std::format("  less {} for more time (the Pareto front of what was tried):\n", name);
    for (const std::size_t place : front) {
        const Tried& each = tried[place];
        out << std::format("    {}, {}: {}\n", seconds_text(each.seconds), with_si_prefix(each.*cost, unit),
                           configuration_text(each.configuration));
    }
}

/// The tunables that matter, the most first.
void print_importance(std::ostream& out, const Tuning& tuning) {
    constexpr double least = 0.01;
    const std::optional<Importance> importance = importance_of(tuning);
    std::string line;
    for (const Importance::OfTunable& each : importance ? importance->tunables : std::vector<Importance::OfTunable>()) {
        if (each.share >= least)
            line += std::format("{}{} {:.0f} %", line.empty() ? "" : ", ", each.name, 100 * each.share);
    }
    if (!line.empty()) out << "  of the variance of the objective's logarithm (analysis of variance): " << line << "\n";
}

}  // namespace

void print_pruned(std::ostream& out, const std::vector<Pruned>& pruned) {
    for (const Pruned& each : pruned)
        out << std::format("  never tried: {}{} ({})\n", each.is_estimate ? "about " : "", each.count, each.reason);
}

void print_tuning(std::ostream& out, const CaseTuning& done, const Project& project) {
    const TuningHead& head = done.tuning.head;
    const auto failed = std::ranges::count_if(done.tuning.tried, [](const Tried& each) { return !each.is_ok(); });
    out << std::format("tuning {} of {}, case {}: tried {} of {} configurations, {} failed\n", head.number,
                       head.variant, head.binding.name, done.tuning.tried.size(), head.configurations, failed);
    for (const Said& each : done.tuning.warnings) out << "  " << each << "\n";
    print_pruned(out, head.pruned);
    print_importance(out, done.tuning);
    if (done.tuning.outcome) print_outcome(out, *done.tuning.outcome);
    else out << "  stopped; next: kernelgen tune " << in_shell(project.folder.string()) << " --resume\n";
    if (!done.why_not_kept.empty()) out << "  not adopted: " << done.why_not_kept << "\n";
    print_pareto(out, done.tuning.tried, &Tried::memory_bytes, "memory", "B");
    print_pareto(out, done.tuning.tried, &Tried::energy_joules, "energy", "J");
    if (done.round) print_round(out, *done.round, true);
}

namespace {

Text name_of(const ListedTuning& tuning) {
    if (!tuning.outcome) return Text::list_stopped;
    if (!tuning.outcome->is_decided) return Text::list_undecided;
    switch (tuning.outcome->kind) {
        case TuningOutcome::Kind::winner: return Text::list_winner;
        case TuningOutcome::Kind::tie: return Text::list_tie;
        case TuningOutcome::Kind::failed: break;
    }
    return Text::list_no_winner;
}

/// "winner, round 3"
std::string outcome_text(const ListedTuning& tuning, const Phrases& say) {
    std::string text = say(name_of(tuning));
    if (tuning.outcome && tuning.outcome->round) text += say(Text::list_round_of, *tuning.outcome->round);
    if (tuning.can_go_on) text += say(Text::list_continues);
    return text;
}

}  // namespace

void print_tuning_of_round(std::ostream& out, const ListedTuning& tuning) {
    const TuningHead& head = tuning.head;
    out << std::format(
        "tuning {} of {}, case {}: tried {} of {} configurations, {} failed, {} pruned, in {}; strategy {}, seed {}\n",
        head.number, head.variant, head.binding.name, tuning.tried, head.configurations, tuning.failed,
        count_of(head.pruned), seconds_text(tuning.outcome ? tuning.outcome->seconds : 0), head.strategy, head.seed);
    if (tuning.outcome) print_outcome(out, *tuning.outcome);
}

namespace {

std::vector<std::string> tuning_row(const ListedTuning& tuning, const Phrases& say) {
    const TuningHead& head = tuning.head;
    const std::optional<TuningOutcome>& outcome = tuning.outcome;
    const bool has_runner_up = outcome && outcome->runner_up;
    return {std::to_string(head.number),
            head.variant,
            head.binding.name,
            head.device,
            head.strategy,
            std::to_string(head.seed),
            std::to_string(head.configurations),
            std::to_string(tuning.tried),
            std::to_string(tuning.failed),
            std::to_string(count_of(head.pruned)),
            outcome ? seconds_text(outcome->seconds) : "-",
            outcome_text(tuning, say),
            has_runner_up ? configuration_text(*outcome->runner_up) : "-",
            outcome ? say.of_engine(outcome->reason) : "-"};
}

}  // namespace

void print_tunings(std::ostream& out, const std::vector<ListedTuning>& tunings, const Phrases& say) {
    Table table{say.all(Text::list_tuning, Text::list_variant, Text::list_case, Text::list_device, Text::list_strategy,
                        Text::list_seed, Text::list_space, Text::list_tried, Text::list_failed, Text::list_pruned,
                        Text::list_seconds, Text::list_outcome, Text::list_runner_up, Text::list_decided_by),
                {}};
    for (const ListedTuning& each : tunings) table.rows.push_back(tuning_row(each, say));
    print_table(out, table);
}

ordered_json tunings_document(const std::vector<ListedTuning>& tunings) {
    ordered_json document = ordered_json::array();
    for (const ListedTuning& each : tunings) {
        document.push_back({{"number", each.head.number},
                            {"first", each.head.first},
                            {"time", each.head.time},
                            {"case", each.head.binding.name},
                            {"variant", each.head.variant},
                            {"device", each.head.device},
                            {"strategy", each.head.strategy},
                            {"seed", each.head.seed},
                            {"configurations", each.head.configurations},
                            {"tried", each.tried},
                            {"failed", each.failed},
                            {"pruned", ordered_json(to_json(each.head.pruned))},
                            {"can_go_on", each.can_go_on},
                            {"outcome", nullptr}});
        if (each.outcome) document.back()["outcome"] = ordered_json(to_json(*each.outcome));
    }
    return document;
}

}  // namespace kernelgen::cli

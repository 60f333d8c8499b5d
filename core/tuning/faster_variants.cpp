// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/faster_variants.h"

#include <algorithm>
#include <ranges>

#include "core/round/best.h"
#include "core/tune/rule_cover.h"

namespace kernelgen {

namespace {

/// The newest round of a variant on a case, under the conditions of another round.
const RoundCase* newest_on(const History& history, const std::string& variant, const Case& binding, const Round& like) {
    for (const Round& round : std::views::reverse(history.rounds)) {
        if (round.variant != variant || !comparable(round, like)) continue;
        if (const RoundCase* timed = timed_case(round, binding)) return timed;
    }
    return nullptr;
}

/// The most that a variant's call takes, in calls of the baseline; nothing where it is not known.
std::optional<double> most_time(const History& history, const Variant& variant, const Case& binding,
                                const Round& like) {
    if (variant.name == like.baseline) return 1;
    const RoundCase* timed = newest_on(history, variant.name, binding, like);
    if (timed == nullptr || timed->speedup_lower <= 0) return std::nullopt;
    return 1 / timed->speedup_lower;
}

/// Times in calls of the baseline: the least of the tuned variant, which is the first option, and the most of others.
std::vector<std::optional<double>> times_on(const History& history, const std::vector<const Variant*>& options,
                                            const Tuning& tuning) {
    std::vector<std::optional<double>> times(options.size());
    const std::optional<int> number = tuning.outcome ? tuning.outcome->round : std::nullopt;
    const Round* own = number ? find_round(history, *number) : nullptr;
    const RoundCase* timed = own == nullptr ? nullptr : timed_case(*own, tuning.head.binding);
    if (timed == nullptr || timed->speedup_upper <= 0) return times;
    times[0] = 1 / timed->speedup_upper;
    for (std::size_t i = 1; i < options.size(); ++i)
        times[i] = most_time(history, *options[i], tuning.head.binding, *own);
    return times;
}

/// The tuned variant, then the others of its device.
std::vector<const Variant*> options_of(const Project& project, const TuningHead& head) {
    std::vector<const Variant*> options = {project.find_variant(head.variant)};
    for (const Variant& each : project.variants) {
        if (each.name != head.variant && runs_on(each, head.device)) options.push_back(&each);
    }
    return options;
}

std::vector<std::optional<double>> losses_of(std::vector<std::optional<double>> times) {
    std::optional<double> best;
    for (const auto& each : times) {
        if (each && (!best || *each < *best)) best = each;
    }
    for (auto& each : times) {
        if (each) *each = *each / *best - 1;
    }
    return times;
}

}  // namespace

std::vector<ProposedDispatch> faster_variants(const Project& project, const std::vector<Tuning>& tunings,
                                              const History& history) {
    const std::vector<const Variant*> options = options_of(project, tunings.front().head);
    std::vector<std::vector<std::optional<double>>> times;
    OptionCosts costs;
    for (const Tuning& each : tunings) {
        times.push_back(times_on(history, options, each));
        costs.cases.push_back(each.head.binding);
        costs.losses.push_back(losses_of(times.back()));
    }
    const auto rules = cover(costs, project.definition.symbols, most_lost, 0);
    std::vector<ProposedDispatch> proposed;
    for (const CoverRule& rule : rules.value_or(std::vector<CoverRule>())) {
        if (rule.when.empty()) continue;
        ProposedDispatch& made = proposed.emplace_back(DispatchRule{rule.when, options[rule.option]->name});
        for (const std::size_t place : rule.cases) {
            made.cases.push_back(costs.cases[place].name);
            made.over_tuned.push_back(*times[place][0] / times[place][rule.option].value_or(*times[place][0]));
        }
    }
    return proposed;
}

}  // namespace kernelgen

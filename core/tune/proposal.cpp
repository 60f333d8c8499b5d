// SPDX-License-Identifier: Apache-2.0
#include "core/tune/proposal.h"

#include <algorithm>

#include "core/tune/rule_cover.h"

namespace kernelgen {

namespace {

double best_of(const MeasuredCase& measured) {
    double best = measured.objectives.begin()->second;
    for (const auto& [configuration, objective] : measured.objectives) best = std::min(best, objective);
    return best;
}

std::optional<double> loss_of(const MeasuredCase& measured, const Configuration& configuration) {
    const auto found = measured.objectives.find(configuration);
    if (found == measured.objectives.end()) return std::nullopt;
    return found->second / best_of(measured) - 1;
}

/// The configurations that lose little on some case. Of those that are as good the first is taken: the present ones.
std::vector<Configuration> options_of(const std::vector<MeasuredCase>& cases) {
    std::vector<Configuration> options;
    const auto add = [&](const MeasuredCase& measured, const Configuration& each) {
        const std::optional<double> loss = loss_of(measured, each);
        if (loss && *loss <= most_lost && !std::ranges::contains(options, each)) options.push_back(each);
    };
    for (const MeasuredCase& each : cases) add(each, each.present);
    for (const MeasuredCase& each : cases) {
        for (const auto& [configuration, objective] : each.objectives) add(each, configuration);
    }
    return options;
}

/// How many times better `chosen` is than `other`, where both are known.
std::optional<double> gain(const MeasuredCase& measured, const Configuration& other, const Configuration& chosen) {
    const auto its = measured.objectives.find(other), own = measured.objectives.find(chosen);
    if (its == measured.objectives.end() || own == measured.objectives.end()) return std::nullopt;
    return its->second / own->second;
}

/// A rule by which a case gets `configuration` where the others have `otherwise`.
ConfigurationRule rule_over(const Configuration& otherwise, const std::string& when,
                            const Configuration& configuration) {
    ConfigurationRule rule{when, configuration};
    std::erase_if(rule.values, [&](const auto& value) {
        const auto same = otherwise.find(value.first);
        return same != otherwise.end() && same->second == value.second;
    });
    if (rule.values.empty()) rule.values = configuration;  // a rule that keeps cases from a later one
    return rule;
}

}  // namespace

std::optional<std::vector<ProposedRule>> propose_rules(const std::vector<MeasuredCase>& cases,
                                                       const std::vector<std::string>& symbols) {
    const auto is_unknown = [](const MeasuredCase& each) { return each.objectives.empty(); };
    if (cases.empty() || std::ranges::any_of(cases, is_unknown)) return std::nullopt;
    const std::vector<Configuration> options = options_of(cases);
    OptionCosts costs;
    for (const MeasuredCase& each : cases) {
        costs.cases.push_back(each.binding);
        std::vector<std::optional<double>>& losses = costs.losses.emplace_back();
        for (const Configuration& option : options) losses.push_back(loss_of(each, option));
    }
    const auto rules = cover(costs, symbols, most_lost);
    if (!rules) return std::nullopt;
    const Configuration& otherwise = options[rules->back().option];
    std::vector<ProposedRule> proposed;
    for (const CoverRule& rule : *rules) {
        const Configuration& chosen = options[rule.option];
        ProposedRule& made = proposed.emplace_back(rule.when, chosen);
        for (const std::size_t place : rule.cases) {
            const MeasuredCase& measured = cases[place];
            made.cases.push_back({measured.binding.name, *loss_of(measured, chosen),
                                  gain(measured, measured.present, chosen), gain(measured, otherwise, chosen)});
        }
    }
    return proposed;
}

std::vector<ConfigurationRule> configuration_rules(const std::vector<ConfigurationRule>& kept,
                                                   const std::vector<ProposedRule>& proposed) {
    std::vector<ConfigurationRule> rules;
    const Configuration& otherwise = proposed.back().configuration;
    for (const ConfigurationRule& each : kept) rules.push_back(rule_over(otherwise, each.when, each.values));
    for (const ProposedRule& each : proposed) {
        if (!each.when.empty()) rules.push_back(rule_over(otherwise, each.when, each.configuration));
    }
    return rules;
}

}  // namespace kernelgen

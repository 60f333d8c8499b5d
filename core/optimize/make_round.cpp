// SPDX-License-Identifier: Apache-2.0
#include "core/optimize/make_round.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/project/by_case.h"
#include "core/project/source_files.h"
#include "core/strategy/gain.h"
#include "core/strategy/skeleton.h"
#include "core/tuning/across.h"
#include "core/tuning/rule_proposal.h"

namespace kernelgen {

namespace {

/// The loss of a configuration against the best of a tuning, as a logarithm; nothing where it was not timed to the end.
std::optional<double> loss_of(const Configuration& configuration, const Tuning& tuning) {
    double best = std::numeric_limits<double>::infinity();
    std::optional<double> own;
    for (const Tried& each : tuning.across.empty() ? tuning.tried : tuning.across) {
        if (!each.is_ok() || each.left || !(each.objective > 0)) continue;
        best = std::min(best, each.objective);
        if (each.configuration == configuration) own = each.objective;
    }
    return own ? std::optional(std::log(*own / best)) : std::nullopt;
}

/// The finalist that loses least over all cases.
std::optional<Configuration> best_for_all(const std::vector<Tuning>& tunings) {
    std::optional<Configuration> best;
    double least = std::numeric_limits<double>::infinity();
    for (const Configuration& each : finals_of(tunings)) {
        double sum = 0;
        for (const Tuning& tuning : tunings)
            sum += loss_of(each, tuning).value_or(std::numeric_limits<double>::infinity());
        if (sum >= least) continue;
        least = sum;
        best = each;
    }
    return best;
}

/// The plan of the next round.
Result<RunPlan> changed_plan(RunPlan plan, const RoundDetail& before, const ProposedChange& change) {
    if (const auto* added = std::get_if<AddDispatch>(&change)) {
        const Variant* variant = plan.project.find_variant(added->rule.variant);
        if (variant == nullptr) return fail("the project has no variant `" + added->rule.variant + "`");
        Result<Implementation> other = read_implementation(plan.project, *variant);
        if (!other) return std::unexpected(other.error());
        other->device = plan.candidate.device;
        plan.candidate = std::move(*other);
        plan.options.as_baseline = true;
        std::erase_if(plan.cases,
                      [&](const Case& each) { return !holds_on(added->rule.when, each, plan.candidate.device); });
        return plan;
    }
    Implementation present = before.candidate;
    present.device = plan.candidate.device;
    Result<Implementation> candidate = changed_by(change, std::move(present));
    if (!candidate) return std::unexpected(candidate.error());
    plan.candidate = std::move(*candidate);
    return plan;
}

AppliedStrategy applied_of(const Proposal& proposal, const RoundDetail& before) {
    AppliedStrategy applied{.strategy = proposal.strategy,
                            .finding = proposal.finding,
                            .after = before.round.number,
                            .change = proposal.line,
                            .when = {},
                            .expected = proposal.expected,
                            .expected_from = proposal.expected_from,
                            .gain = {},
                            .next = {},
                            .next_expected = {},
                            .ended = {}};
    if (const auto* added = std::get_if<AddDispatch>(&proposal.change)) applied.when = added->rule.when;
    return applied;
}

/// The values that differ from those before.
Configuration changed_values(const Configuration& before, Configuration after) {
    std::erase_if(
        after, [&](const auto& each) { return before.contains(each.first) && before.at(each.first) == each.second; });
    return after;
}

/// What a search changed, in one line.
std::string search_line(const Implementation& before, const Implementation& after) {
    std::vector<std::string> parts;
    if (Configuration values = changed_values(before.configuration, after.configuration); !values.empty())
        parts.push_back(in_one_line(SetTunables{std::move(values)}, before));
    for (const ConfigurationRule& each : after.variant.configurations) {
        if (!std::ranges::contains(before.variant.configurations, each))
            parts.push_back(in_one_line(AddRule{each}, before));
    }
    return join(parts, "; ");
}

}  // namespace

Result<Implementation> as_tuned(Implementation before, const std::vector<Tuning>& tunings,
                                const std::vector<std::string>& symbols) {
    if (tunings.size() == 1) {
        adopt_on(before.configuration, before.variant.configurations, tunings[0].head.binding, before.device,
                 tunings[0].outcome->configuration);
        return before;
    }
    if (const auto rules = rules_of(tunings, symbols)) {
        std::vector<Case> cases;
        for (const Tuning& each : tunings) cases.push_back(each.head.binding);
        const auto kept = rules_of_others(before.configuration, before.variant.configurations, cases, before.device);
        before.variant.configurations = configuration_rules(kept, *rules);
        before.configuration = rules->back().configuration;
        return before;
    }
    const auto best = best_for_all(tunings);
    if (!best) return fail("no configuration was timed on all cases");
    return with_fixed(std::move(before), *best);
}

Result<MadeRound> make_round(RunPlan& plan, const RoundDetail& before, const Proposal& proposal, OptimizeEngine& engine,
                             double search_seconds) {
    MadeRound made;
    AppliedStrategy applied = applied_of(proposal, before);
    if (const auto* other = std::get_if<OtherVariant>(&proposal.change)) {
        if (auto added = add_generated(plan.project, other->generated); !added) return std::unexpected(added.error());
    }
    Result<RunPlan> next = changed_plan(plan, before, proposal.change);
    if (!next) return std::unexpected(next.error());
    if (std::holds_alternative<SearchTunables>(proposal.change)) {
        Result<std::vector<Tuning>> tunings = engine.search(*next, search_seconds);
        if (!tunings) return std::unexpected(tunings.error());
        Result<Implementation> tuned = as_tuned(next->candidate, *tunings, plan.project.definition.symbols);
        if (!tuned) return std::unexpected(tuned.error());
        if (std::string found = search_line(before.candidate, *tuned); !found.empty())
            applied.change = std::move(found);
        next->candidate = std::move(*tuned);
        made.tunings = std::move(*tunings);
    }
    made.detail = engine.run(*next);
    applied.gain = gain_between(before.round, made.detail.round);
    made.detail.round.applied = std::move(applied);
    return made;
}

}  // namespace kernelgen

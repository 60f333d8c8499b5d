// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/rule_proposal.h"

#include <algorithm>

#include "core/project/by_case.h"
#include "core/project/source_files.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/faster_variants.h"
#include "core/tuning/tune.h"

namespace kernelgen {

namespace {

/// The results of a case. Where configurations of all cases were raced together, only these results; else those of the
/// search. In a tie the tuning found nothing that is surely better than the incumbent, so a result that looks better is
/// taken to be as good.
MeasuredCase measured(const Tuning& tuning) {
    MeasuredCase known{tuning.head.binding, tuning.head.incumbent, {}};
    for (const Tried& each : tuning.across.empty() ? tuning.tried : tuning.across) {
        if (each.is_ok() && !each.left && each.objective > 0) known.objectives[each.configuration] = each.objective;
    }
    const auto incumbent = known.objectives.find(tuning.head.incumbent);
    if (tuning.outcome->kind != TuningOutcome::Kind::tie || incumbent == known.objectives.end()) return known;
    const double best = incumbent->second;
    for (auto& [configuration, objective] : known.objectives) objective = std::max(objective, best);
    return known;
}

/// Why the tunings do not fit the project as it is now; "" where they do.
Said misfit(const Project& project, const TuningHead& head) {
    const Variant* variant = project.find_variant(head.variant);
    if (variant == nullptr) return say("the project has no variant `{}` any more", head.variant);
    const Result<Implementation> present = read_implementation(project, *variant);
    if (!present) return present.error().message;
    if (hash_of_sources(*present) != head.source_hash)
        return say("the sources of `{}` have changed since; tune again", head.variant);
    for (const std::string& symbol : project.definition.symbols) {
        if (!head.binding.sizes.contains(symbol))
            return say("the operator has got the symbol `{}` since; tune again", symbol);
    }
    if (!head.setup_hash.empty() && setup_hash(project, head.variant) != head.setup_hash)
        return say("the definition, launch, tunables or restrictions of `{}` have changed since; tune again",
                   head.variant);
    return "";
}

/// Why a proposed configuration cannot be the variant's; "" where all can.
Said misfit(const Variant& variant, const std::vector<ProposedRule>& rules) {
    for (const ProposedRule& each : rules) {
        const Result<Configuration> set = with_changes(variant, configuration_of(variant), each.configuration);
        if (!set) return say("{}; tune again", set.error().message);
    }
    return "";
}

}  // namespace

Result<std::vector<Tuning>> tunings_of_command(const std::filesystem::path& project_folder, int number) {
    const Result<Tuning> asked = load_tuning(project_folder, number);
    if (!asked) return std::unexpected(asked.error());
    std::vector<Tuning> all;
    for (const int each : tuning_numbers(project_folder)) {
        if (each < asked->head.first) continue;
        Result<Tuning> tuning = load_tuning(project_folder, each);
        if (!tuning || tuning->head.first != asked->head.first || !tuning->outcome) continue;
        if (tuning->outcome->kind == TuningOutcome::Kind::failed)
            return fail(say("nothing was right on case `{}` in tuning {}", tuning->head.binding.name, each));
        all.push_back(std::move(*tuning));
    }
    if (all.size() < asked->head.cases.size())
        return fail(
            say("tuning {} has not ended for all of its cases; `kernelgen tune PROJECT --resume` "
                "goes on with the last tuning",
                number));
    return all;
}

std::optional<std::vector<ProposedRule>> rules_of(const std::vector<Tuning>& tunings,
                                                  const std::vector<std::string>& symbols) {
    std::vector<MeasuredCase> cases;
    for (const Tuning& each : tunings) cases.push_back(measured(each));
    return propose_rules(cases, symbols);
}

Result<RuleProposal> rules_from(const Project& project, const std::vector<Tuning>& tunings, const History& history) {
    const TuningHead& head = tunings.front().head;
    if (const Said why = misfit(project, head); !why.empty()) return fail(why);
    const Variant& variant = *project.find_variant(head.variant);
    RuleProposal proposal;
    proposal.variant = head.variant;
    proposal.device = head.device;
    for (const Tuning& each : tunings) {
        proposal.tunings.push_back(each.head.number);
        proposal.cases.push_back(each.head.binding);
    }
    proposal.kept = rules_of_others(configuration_of(variant), variant.configurations, proposal.cases, device_of(head));
    proposal.replaced = variant.configurations.size() - proposal.kept.size();
    auto rules = rules_of(tunings, project.definition.symbols);
    if (!rules)
        return fail(
            "no rules on sizes or dtype_bytes keep every case within 1 % of its own best: the sizes do not tell apart "
            "cases that need different configurations, or a configuration was not measured on another case");
    if (const Said why = misfit(variant, *rules); !why.empty()) return fail(why);
    proposal.rules = std::move(*rules);
    proposal.dispatch = faster_variants(project, tunings, history);
    return proposal;
}

Result<RuleProposal> proposed_rules(const Project& project, const std::vector<Tuning>& tunings) {
    const Result<History> history = load_history(project.folder);
    return history ? rules_from(project, tunings, *history) : Result<RuleProposal>(std::unexpected(history.error()));
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/rule_adoption.h"

#include <algorithm>

#include "core/files/in_step.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"

namespace kernelgen {

namespace {

/// Whether the files on disk still say what was verified.
bool is_as_verified(const Project& project, const RunPlan& verified) {
    const Validated<Project> present = load_project(project.folder);
    if (!present || *present != project) return false;
    const Result<Implementation> sources = read_implementation(*present, verified.candidate.variant);
    return sources && hash_of_sources(*sources) == hash_of_sources(verified.candidate);
}

}  // namespace

Validated<Project> with_rules(Project project, const RuleProposal& proposal) {
    const auto variant = std::ranges::find(project.variants, proposal.variant, &Variant::name);
    variant->configurations = configuration_rules(proposal.kept, proposal.rules);
    const Configuration& otherwise = proposal.rules.back().configuration;
    for (Tunable& tunable : variant->tunables) {
        const auto value = otherwise.find(tunable.name);
        if (value != otherwise.end()) tunable.value = value->second;
    }
    std::vector<DispatchRule> dispatch;
    for (const ProposedDispatch& each : proposal.dispatch) dispatch.push_back(each.rule);
    for (DispatchRule& each : project.dispatch) {
        if (!std::ranges::contains(dispatch, each)) dispatch.push_back(std::move(each));
    }
    project.dispatch = std::move(dispatch);
    if (Diagnostics problems = validate(project); !problems.empty()) return std::unexpected(std::move(problems));
    return project;
}

bool is_in_force(const Project& project, const RuleProposal& proposal) {
    const Validated<Project> ruled = with_rules(project, proposal);
    return ruled && *ruled == project;
}

Validated<RunPlan> run_with_rules(const Project& project, const RuleProposal& proposal) {
    const Validated<Project> ruled = with_rules(project, proposal);
    if (!ruled) return std::unexpected(ruled.error());
    RunOptions options;
    options.variant = proposal.variant;
    options.device = proposal.device;
    Validated<RunPlan> plan = plan_run(*ruled, options);
    if (!plan) return plan;
    for (const Case& each : proposal.cases) {
        if (!std::ranges::contains(plan->cases, each)) plan->cases.push_back(each);
    }
    return plan;
}

bool is_stated_in_files(const Project& project, const RuleProposal& proposal) {
    return project.find_variant(proposal.variant)->language == Language::triton || !proposal.dispatch.empty();
}

Result<void> adopt_rules(Project& project, const RuleProposal& proposal, const RunPlan& verified) {
    if (!is_as_verified(project, verified))
        return fail(
            "the project was edited while the rules were verified, so nothing was written; give the same "
            "command again");
    Validated<Project> ruled = with_rules(project, proposal);
    if (!ruled) return fail(to_string(ruled.error()));
    project = std::move(*ruled);
    if (!is_stated_in_files(project, proposal)) return save_project(project);
    if (const auto done = bring_in_step(project, false); !done) return fail(to_string(done.error()));
    return {};
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/engine/dispatch.h"

#include <algorithm>
#include <format>

#include "core/base/sentences.h"
#include "core/engine/usage.h"
#include "core/project/dispatch.h"
#include "core/project/source_files.h"

namespace kernelgen {

namespace {

const std::string& candidate_name(const RunPlan& plan) { return plan.candidate.variant.name; }

/// The plan with another candidate, and without cases.
Validated<RunPlan> with_variant(const RunPlan& plan, const std::string& name) {
    RunPlan made = plan;
    made.cases.clear();
    if (name == candidate_name(plan)) return made;
    const Variant& variant = *plan.project.find_variant(name);
    Result<Implementation> candidate = read_implementation(plan.project, variant);
    if (!candidate) return std::unexpected(Diagnostics{usage("variant " + name, candidate.error().message, "")});
    made.candidate = std::move(*candidate);
    made.candidate.device = plan.candidate.device;
    made.options.as_baseline = is_of_others(variant.language);
    return made;
}

}  // namespace

Validated<std::vector<RunPlan>> dispatched(const RunPlan& plan) {
    std::vector<RunPlan> plans;
    if (!plan.options.variant.empty() || !plan.options.changes.empty() || !plan.options.from.empty())
        return std::vector{plan};
    const std::vector<DispatchRule> rules = dispatch_on(plan.project, plan.options.device);
    for (const Case& binding : plan.cases) {
        const DispatchRule* rule = rule_for(rules, binding, plan.candidate.device);
        const std::string& name = rule == nullptr ? candidate_name(plan) : rule->variant;
        auto its = std::ranges::find(plans, name, candidate_name);
        if (its == plans.end()) {
            Validated<RunPlan> made = with_variant(plan, name);
            if (!made) return std::unexpected(made.error());
            its = plans.insert(its, std::move(*made));
        }
        its->cases.push_back(binding);
        if (name != candidate_name(plan))
            its->remarks.push_back(say(sentences::dispatched, rule->when, binding.name, name));
    }
    return plans;
}

}  // namespace kernelgen

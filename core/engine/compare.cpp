// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compare.h"

#include <algorithm>
#include <format>

#include "core/base/text.h"
#include "core/engine/usage.h"
#include "core/measure/metrics.h"
#include "core/project/project_file.h"

namespace kernelgen {

namespace {

std::string variants_of(const Project& project) { return "there are: " + join(names_of(project.variants), ", "); }

std::vector<std::string> tunables_of(const Project& project) {
    std::vector<std::string> names;
    for (const Variant& variant : project.variants) {
        for (const Tunable& tunable : variant.tunables) names.push_back(tunable.name);
    }
    return names;
}

/// The changes that are for a tunable of this variant.
Configuration changes_for(const Variant& variant, const Configuration& changes) {
    Configuration own;
    for (const auto& [name, value] : changes) {
        if (std::ranges::find(variant.tunables, name, &Tunable::name) != variant.tunables.end()) own[name] = value;
    }
    return own;
}

void check_choice(const Project& project, const RunOptions& options, const std::vector<std::string>& variants,
                  Diagnostics& diagnostics) {
    for (const std::string& name : variants) {
        const Variant* variant = project.find_variant(name);
        if (variant == nullptr) {
            diagnostics.push_back(usage("--variant", say("unknown variant {}", "`" + name + "`"),
                                        choice(name, names_of(project.variants))));
        } else if (!runs_on(*variant, options.device)) {
            diagnostics.push_back(
                usage("--variant", say("`{}` does not run on `{}`", name, options.device), variants_of(project)));
        }
    }
    for (const auto& [name, value] : options.changes) {
        const Configuration change = {{name, value}};
        const auto takes_it = [&](const Variant& each) { return !changes_for(each, change).empty(); };
        const bool known = std::ranges::any_of(project.variants, takes_it);
        if (!known) {
            diagnostics.push_back(
                usage("--set", say("no variant has a tunable `{}`", name), did_you_mean(name, tunables_of(project))));
        }
    }
}

ComparedVariant compared(const RunPlan& plan, const RoundDetail& detail) {
    ComparedVariant result;
    result.variant = plan.candidate.variant.name;
    result.language = plan.candidate.variant.language;
    result.compiled = plan.candidate.variant.compile;
    result.configuration = detail.round.configuration;
    result.status = detail.round.status;
    result.reason = detail.round.reason;
    result.cases = detail.round.cases;
    result.warnings = detail.verification.warnings;
    for (const BenchResult& timing : detail.timings) {
        result.counters.push_back(timing.counters.values);
        if (const auto& rate = timing.counters.cache_hit_rate)
            result.counters.back()[metrics::cache_hit_rate.name] = *rate;
    }
    for (const Case& each : plan.cases) {
        const auto built = detail.verification.builds.find(each.dtype);
        result.resources.push_back(built == detail.verification.builds.end() ? std::map<std::string, double>()
                                                                             : built->second.resources);
    }
    return result;
}

}  // namespace

Validated<ComparisonPlan> plan_comparison(const Project& project, const RunOptions& options,
                                          const std::vector<std::string>& variants) {
    Diagnostics diagnostics;
    check_choice(project, options, variants, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    ComparisonPlan plan;
    for (const Variant& variant : project.variants) {
        const bool wanted = variants.empty() || std::ranges::find(variants, variant.name) != variants.end();
        if (!wanted || !runs_on(variant, options.device)) continue;
        RunOptions own = options;
        own.variant = variant.name;
        own.changes = changes_for(variant, options.changes);
        own.as_baseline = is_of_others(variant.language);
        Validated<RunPlan> run = plan_run(project, own);
        if (!run) return std::unexpected(run.error());
        plan.runs.push_back(std::move(*run));
    }
    if (plan.runs.empty() || !plan.runs.front().baseline) {
        return std::unexpected(
            Diagnostics{usage("--device",
                              plan.runs.empty() ? say("no variant of this project runs on `{}`", options.device)
                                                : say("the project names no baseline for `{}`", options.device),
                              plan.runs.empty() ? Said(variants_of(project))
                                                : say("name one: --baseline VARIANT; {}", variants_of(project)))});
    }
    return plan;
}

Comparison compare(const ComparisonPlan& plan, WorkerClient& worker, const Progress& progress,
                   const ComparedSoFar& so_far, std::stop_token stop) {
    Comparison result;
    result.time = now_utc();
    const RunPlan& first = plan.runs.front();
    result.device = first.options.device;
    result.baseline = first.baseline->variant.name;
    result.budget_seconds = first.project.performance.budget_seconds;
    result.cases = first.cases;
    const auto verified = [&](const RoundDetail& detail) {
        result.variants.push_back(compared(plan.runs[result.variants.size()], detail));
        so_far(result);
    };
    const std::vector<RoundDetail> details = run_rounds(plan.runs, worker, progress, verified, stop);
    for (std::size_t i = 0; i < details.size(); ++i) {
        if (!details[i].environment.hardware.empty()) result.environment = details[i].environment;
        result.variants[i] = compared(plan.runs[i], details[i]);
    }
    so_far(result);
    return result;
}

}  // namespace kernelgen

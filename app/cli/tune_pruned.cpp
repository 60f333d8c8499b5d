// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune_pruned.h"

#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/print.h"
#include "app/cli/print_tuning.h"
#include "core/engine/usage.h"
#include "core/said/said.h"

namespace kernelgen::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_of_each = 1000;  ///< configurations that are listed for one reason

ordered_json document_of(const PrunedCase& pruned, const RunPlan& plan) {
    nlohmann::json listed = nlohmann::json::array();
    for (const PrunedConfiguration& each : pruned.listed) {
        listed.push_back({{"configuration", each.configuration}});
        put_said(listed.back(), "reason", each.reason);
    }
    return {{"case", pruned.binding.name},
            {"variant", plan.candidate.variant.name},
            {"device", plan.options.device},
            {"configurations", pruned.configurations},
            {"pruned", ordered_json(to_json(pruned.counts))},
            {"listed", ordered_json(listed)},
            {"not_listed", pruned.count_unlisted()}};
}

void print_case(std::ostream& out, const PrunedCase& pruned, const RunPlan& plan) {
    out << std::format("{} on {}, case {}: {} configuration{} may be tried\n", plan.candidate.variant.name,
                       plan.options.device, pruned.binding.name, pruned.configurations,
                       pruned.configurations == 1 ? "" : "s");
    print_pruned(out, pruned.counts);
    for (const PrunedConfiguration& each : pruned.listed)
        out << std::format("    {}: {}\n", configuration_text(each.configuration), each.reason);
    if (const std::uint64_t unlisted = pruned.count_unlisted(); unlisted > 0)
        out << std::format("    and {} more, which are only counted\n", unlisted);
}

}  // namespace

Diagnostics needless_for_pruned(const std::vector<std::string>& given) {
    const std::set<std::string> read = {"PROJECT", "--list-pruned", "--variant", "--device",
                                        "--case",  "--set",         "--tunable", "--baseline"};
    Diagnostics diagnostics;
    for (const std::string& each : given) {
        if (!read.contains(each))
            diagnostics.push_back(usage(each, "means nothing with --list-pruned, which tries nothing", "leave it out"));
    }
    return diagnostics;
}

ordered_json pruned_document(const std::vector<PrunedCase>& pruned, const RunPlan& plan) {
    ordered_json cases = ordered_json::array();
    for (const PrunedCase& each : pruned) cases.push_back(document_of(each, plan));
    return cases;
}

void print_pruned_cases(std::ostream& out, const std::vector<PrunedCase>& pruned, const RunPlan& plan) {
    for (const PrunedCase& each : pruned) print_case(out, each, plan);
}

int list_pruned_command(const TunePlan& plan, const TuningWorker& worker, const Context& context,
                        std::stop_token stop) {
    const Result<std::vector<PrunedCase>> pruned = pruned_by_case(plan, worker, most_of_each, std::move(stop));
    if (!pruned) return report(context, pruned.error());
    if (context.json) print_json(ordered_json{{"cases", pruned_document(*pruned, plan.run)}});
    else print_pruned_cases(std::cout, *pruned, plan.run);
    return exit_done;
}

}  // namespace kernelgen::cli

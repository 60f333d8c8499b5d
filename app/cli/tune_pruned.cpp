// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune_pruned.h"

#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "app/cli/print_tuning.h"
#include "core/said/said.h"
#include "core/tuning/pruned_list.h"

namespace kernelgen::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_of_each = 1000;  ///< configurations that are listed for one reason

std::uint64_t count_unlisted(const PrunedCase& pruned) {
    const std::uint64_t count = count_of(pruned.counts);
    return count - std::min<std::uint64_t>(count, pruned.listed.size());
}

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
            {"not_listed", count_unlisted(pruned)}};
}

void print_case(const PrunedCase& pruned, const RunPlan& plan) {
    std::cout << std::format("{} on {}, case {}: {} configurations may be tried\n", plan.candidate.variant.name,
                             plan.options.device, pruned.binding.name, pruned.configurations);
    print_pruned(std::cout, pruned.counts);
    for (const PrunedConfiguration& each : pruned.listed)
        std::cout << std::format("    {}: {}\n", configuration_text(each.configuration), each.reason);
    if (const std::uint64_t unlisted = count_unlisted(pruned); unlisted > 0)
        std::cout << std::format("    and {} more, since {} are listed for each reason at most\n", unlisted,
                                 most_of_each);
}

}  // namespace

int list_pruned_command(const TunePlan& plan, const TuningWorker& worker, const Context& context,
                        std::stop_token stop) {
    const Result<std::vector<PrunedCase>> pruned = pruned_by_case(plan, worker, most_of_each, std::move(stop));
    if (!pruned) return report(context, pruned.error());
    ordered_json document = {{"cases", ordered_json::array()}};
    for (const PrunedCase& each : *pruned) {
        if (context.json) document["cases"].push_back(document_of(each, plan.run));
        else print_case(each, plan.run);
    }
    if (context.json) print_json(document);
    return exit_done;
}

}  // namespace kernelgen::cli

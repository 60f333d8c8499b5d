// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_rules.h"

#include <format>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/base/text.h"

namespace kernelgen::cli {

using nlohmann::ordered_json;

namespace {

std::string effect_text(const ProposedCase& each, bool is_rule) {
    std::string text = std::format("{}: {:.1f} % over its best", each.name, 100 * each.loss);
    if (each.over_present) text += std::format(", {:.3f}x the present configuration", *each.over_present);
    if (is_rule)
        text += each.over_otherwise ? std::format(", {:.3f}x without this rule", *each.over_otherwise)
                                    : ", not right without this rule, or not measured";
    return text;
}

ordered_json case_document(const ProposedCase& each) {
    ordered_json document = {{"case", each.name}, {"loss", each.loss}};
    if (each.over_present) document["over_present"] = *each.over_present;
    if (each.over_otherwise) document["over_otherwise"] = *each.over_otherwise;
    return document;
}

}  // namespace

void print_rules(std::ostream& out, const RuleProposal& proposal) {
    std::vector<std::string> numbers;
    for (const int each : proposal.tunings) numbers.push_back(std::to_string(each));
    out << std::format("rules for `{}` on {}, from tuning {}:\n", proposal.variant, proposal.device,
                       join(numbers, ", "));
    for (const ProposedRule& rule : proposal.rules) {
        const bool is_rule = !rule.when.empty();
        out << std::format("  {}: {}\n", is_rule ? "when " + rule.when : "where no rule holds",
                           configuration_text(rule.configuration));
        for (const ProposedCase& each : rule.cases) out << "    " << effect_text(each, is_rule) << "\n";
    }
    for (const ProposedDispatch& each : proposal.dispatch) {
        out << std::format("  dispatch when {}: variant {}\n", each.rule.when, each.rule.variant);
        for (std::size_t i = 0; i < each.cases.size(); ++i)
            out << std::format("    {}: at least {:.3f}x as fast as `{}` by recorded rounds\n", each.cases[i],
                               each.over_tuned[i], proposal.variant);
    }
    if (proposal.replaced > 0)
        out << std::format("  in place of {} that `{}` has for these cases\n", proposal.replaced, proposal.variant);
    for (const ConfigurationRule& each : proposal.kept)
        out << std::format("  as before, for other cases: when {}: {}\n", each.when, configuration_text(each.values));
}

ordered_json rules_document(const RuleProposal& proposal) {
    ordered_json rules = ordered_json::array(), kept = ordered_json::array(), dispatch = ordered_json::array();
    for (const ProposedRule& rule : proposal.rules) {
        ordered_json entry = {
            {"when", nullptr}, {"configuration", rule.configuration}, {"cases", ordered_json::array()}};
        if (!rule.when.empty()) entry["when"] = rule.when;
        for (const ProposedCase& each : rule.cases) entry["cases"].push_back(case_document(each));
        rules.push_back(entry);
    }
    for (const ConfigurationRule& each : proposal.kept)
        kept.push_back({{"when", each.when}, {"configuration", each.values}});
    for (const ProposedDispatch& each : proposal.dispatch) {
        ordered_json entry = {
            {"when", each.rule.when}, {"variant", each.rule.variant}, {"cases", ordered_json::array()}};
        for (std::size_t i = 0; i < each.cases.size(); ++i)
            entry["cases"].push_back({{"case", each.cases[i]}, {"over_tuned", each.over_tuned[i]}});
        dispatch.push_back(entry);
    }
    return {{"variant", proposal.variant},
            {"device", proposal.device},
            {"tunings", proposal.tunings},
            {"rules", rules},
            {"kept", kept},
            {"dispatch", dispatch}};
}

}  // namespace kernelgen::cli

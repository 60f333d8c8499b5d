// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_strategy.h"

#include <format>

#include "app/cli/print.h"
#include "core/report/applied_words.h"
#include "core/strategy/catalogue.h"

namespace kernelgen::cli {

std::string gain_text(const Gain& gain) {
    return std::format("{:.3f}× [{:.3f}, {:.3f}]", gain.likely, gain.lower, gain.upper);
}

std::string proposal_line(const Proposal& proposal) {
    return std::format("{} ({}): {}; expected {}", title_of_strategy(proposal.strategy), proposal.strategy,
                       proposal.line, gain_text(proposal.expected));
}

std::string run_command(const std::string& project, const Round& round) {
    std::string command = "kernelgen run " + in_shell(project) + " --variant " + in_shell(round.variant);
    if (round.device != "cpu") command += " --device " + round.device;
    return command;
}

void print_proposals(std::ostream& out, const Proposals& proposals, const std::string& command, std::size_t most) {
    const Phrases say(Tongue::english);
    std::size_t number = 0;
    for (const Proposal& each : proposals.all) {
        if (number == most) break;
        out << std::format("{}. {}: {}\n", ++number, title_of_strategy(each.strategy), each.line);
        if (const StrategyText* text = find_strategy_text(each.strategy)) out << "   " << text->why << "\n";
        out << std::format("   expected {}, {}\n", gain_text(each.expected), words_of(each.expected_from, say));
        out << std::format("   {} --apply {}\n", command, in_shell(each.key()));
    }
    if (proposals.all.empty()) out << "no strategy can be applied to this round\n";
    for (const Advice& each : proposals.advice) {
        const StrategyText* text = find_strategy_text(each.strategy);
        out << std::format("by hand: {}{}\n", title_of_strategy(each.strategy),
                           text == nullptr ? "" : std::format(" ({})", text->why));
        for (const SourcePlace& place : each.where) out << std::format("   {}:{}\n", place.file, place.line);
    }
}

void print_applied(std::ostream& out, const Round& round) {
    if (!round.applied) return;
    const RuleBook book = load_rules().value_or(RuleBook());
    const AppliedWords words = words_of(round, book.rules, Phrases(Tongue::english));
    out << "strategy: " << words.strategy << "\n";
    if (!words.finding.empty()) out << "  because of " << words.finding << "\n";
    out << "  expected gain " << words.expected << "\n  measured gain " << words.outcome << "\n";
    if (!words.next.empty()) out << "  next: " << words.next << "\n";
}

}  // namespace kernelgen::cli

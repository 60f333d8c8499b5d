// SPDX-License-Identifier: Apache-2.0
#include "core/gate/first_slower.h"

#include <algorithm>
#include <format>
#include <span>
#include <vector>

#include "core/round/history.h"

namespace kernelgen {
namespace {

bool is_comparable(const Round& round, const StoredBaseline& stored) {
    return round.time > stored.time && round.variant == stored.implementation.variant.name &&
           round.device == stored.device && round.baseline == stored.baseline &&
           round.environment == stored.environment && round.status == Status::ok;
}

/// The variant's current round and those from which it was made, oldest first. Trials that were not kept are left out.
std::vector<const Round*> line_of(const History& history, const std::string& variant) {
    std::vector<const Round*> line;
    const auto current = history.current.find(variant);
    const Round* round = current == history.current.end() ? nullptr : find_round(history, current->second);
    while (round != nullptr && line.size() < history.rounds.size()) {
        line.push_back(round);
        round = round->parent ? find_round(history, *round->parent) : nullptr;
    }
    std::ranges::reverse(line);
    return line;
}

/// Whether the round's time of the case is beyond the threshold, and its interval apart from the stored one.
bool was_slower(const RoundCase& then, const StoredCase& stored, const Threshold& threshold) {
    return then.speedup_upper < stored.speedup_lower && then.speedup <= stored.speedup * (1 - threshold.share);
}

}  // namespace

namespace {

/// The first of the last rounds that were slower without one between them that was not; nothing where there is none.
struct FirstSlower {
    const Round* round = nullptr;
    const RoundCase* timed = nullptr;
};
FirstSlower first_slower(std::span<const Round* const> line, const StoredBaseline& stored, const GatedCase& checked,
                         const StoredCase& before) {
    FirstSlower first;
    for (const Round* round : line) {
        if (!is_comparable(*round, stored)) continue;
        const auto timed = std::ranges::find(round->cases, before.binding, &RoundCase::binding);
        if (timed == round->cases.end() || timed->speedup <= 0) continue;
        if (!was_slower(*timed, before, checked.threshold)) first = {};
        else if (first.round == nullptr) first = {round, &*timed};
    }
    return first;
}

}  // namespace

Said first_slower_round(const std::filesystem::path& project_folder, const StoredBaseline& stored,
                        const GateCheck& check) {
    const Result<History> history = load_history(project_folder);
    if (!history) return "";
    const std::vector<const Round*> line = line_of(*history, stored.implementation.variant.name);
    for (const GatedCase& each : check.cases) {
        const StoredCase* before = stored.find(each.binding);
        if (each.verdict != Verdict::slower || before == nullptr) continue;
        const auto [round, timed] = first_slower(line, stored, each, *before);
        if (round == nullptr) continue;
        if (round->note.empty())
            return say("round {} is the first recorded one in which `{}` is slower: {:.3f}x over `{}`, {:.3f}x before",
                       round->number, each.binding.name, timed->speedup, round->baseline, before->speedup);
        return say("round {} is the first recorded one in which `{}` is slower: {:.3f}x over `{}`, {:.3f}x before ({})",
                   round->number, each.binding.name, timed->speedup, round->baseline, before->speedup, round->note);
    }
    return "";
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/gate/first_slower.h"

#include <algorithm>
#include <format>

#include "core/round/history.h"

namespace kernelgen {
namespace {

bool is_comparable(const Round& round, const StoredBaseline& stored) {
    return round.time > stored.time && round.variant == stored.implementation.variant.name &&
           round.device == stored.device && round.baseline == stored.baseline &&
           round.environment == stored.environment && round.status == Status::ok;
}

/// Whether the round's time of the case is beyond the threshold, and its interval apart from the stored one.
bool was_slower(const RoundCase& then, const StoredCase& stored, const Threshold& threshold) {
    return then.binding == stored.binding && then.speedup > 0 && then.speedup_upper < stored.speedup_lower &&
           then.speedup <= stored.speedup * (1 - threshold.share);
}

}  // namespace

Said first_slower_round(const std::filesystem::path& project_folder, const StoredBaseline& stored,
                        const GateCheck& check) {
    const Result<History> history = load_history(project_folder);
    if (!history) return "";
    for (const Round& round : history->rounds) {
        if (!is_comparable(round, stored)) continue;
        for (const GatedCase& each : check.cases) {
            const StoredCase* before = stored.find(each.binding);
            if (each.verdict != Verdict::slower || before == nullptr) continue;
            const auto slow = std::ranges::find_if(
                round.cases, [&](const RoundCase& then) { return was_slower(then, *before, each.threshold); });
            if (slow == round.cases.end()) continue;
            if (round.note.empty())
                return say(
                    "round {} is the first recorded one in which `{}` is slower: {:.3f}x over `{}`, {:.3f}x before",
                    round.number, each.binding.name, slow->speedup, round.baseline, before->speedup);
            return say(
                "round {} is the first recorded one in which `{}` is slower: {:.3f}x over `{}`, {:.3f}x before ({})",
                round.number, each.binding.name, slow->speedup, round.baseline, before->speedup, round.note);
        }
    }
    return "";
}

}  // namespace kernelgen

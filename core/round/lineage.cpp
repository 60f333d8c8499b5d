// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/round/history.h"

namespace kernelgen {

namespace {

bool was_timed(const Round& round) {
    return round.status == Status::ok &&
           std::ranges::any_of(round.cases, [](const RoundCase& each) { return each.speedup > 0; });
}

/// The parent of a round. A parent comes before its children: a link of a damaged history that says otherwise is not
/// followed.
const Round* parent_of(const History& history, const Round& round) {
    return round.parent && *round.parent < round.number ? find_round(history, *round.parent) : nullptr;
}

}  // namespace

const Round* find_round(const History& history, int number) {
    const auto found = std::ranges::lower_bound(history.rounds, number, {}, &Round::number);
    return found != history.rounds.end() && found->number == number ? &*found : nullptr;
}

const Round* compared_with(const History& history, const Round& round) {
    const Round* const parent = parent_of(history, round);
    for (const Round* each = parent; each != nullptr; each = parent_of(history, *each)) {
        if (was_timed(*each)) return each;
    }
    return parent;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/round/history.h"

namespace kernelgen {

/// The cases whose times count: none of a round that is not ok.
std::vector<const RoundCase*> timed_cases(const Round& round);

/// The case that a round is judged by, the one with the lowest speedup; null where no case's time counts.
const RoundCase* deciding_case(const Round& round);

/// The case of this binding where its time counts, or null.
const RoundCase* timed_case(const Round& round, const Case& binding);

/// Whether the speedups of two rounds in one case may be compared: device, baseline and environment are the same.
bool comparable(const Round& a, const Round& b);

/// Whether two rounds ran the same cases: the same dtypes and sizes, whatever their names and order. Of a round whose
/// line holds some of its cases only, those must be among the other's, and as many must have run.
bool same_cases(const Round& a, const Round& b);

/// Whether the deciding speedups of two rounds may be compared: `comparable`, and the same cases.
bool same_conditions(const Round& a, const Round& b);

/// Timed rounds of the same conditions; never empty.
using RoundGroup = std::vector<const Round*>;

/// Every timed round in its group; the groups in the order of their first rounds.
std::vector<RoundGroup> groups_of(const History& history);

/// The round with the highest speedup of its deciding case.
const Round& best_of(const RoundGroup& group);

/// The best round of a variant on a device for the project as it is now: among the rounds with the project's cases and
/// its baseline there, in the environment of the newest of them. Null without such a round.
const Round* best_round(const History& history, const Project& project, std::string_view variant,
                        std::string_view device);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/round/history.h"

namespace kernelgen {

/// The cases whose times count; none where the round's status is not ok.
std::vector<const RoundCase*> timed_cases(const Round& round);

/// The case by which a round is judged: the one with the lowest speedup; null where no case's time counts.
const RoundCase* deciding_case(const Round& round);

/// The case with this binding, where its time counts; or null.
const RoundCase* timed_case(const Round& round, const Case& binding);

/// The configuration with which a round timed one of its cases.
const Configuration& configuration_of(const Round& round, const RoundCase& timed);

/// Whether the speedups of two rounds in one case may be compared: device, baseline and environment are the same.
bool comparable(const Round& a, const Round& b);

/// Whether two rounds ran the same cases: the same dtypes and sizes, whatever their names and order. Where a round's
/// line has only some of its cases, these must be among the other round's cases, and both must have run the same
/// number.
bool same_cases(const Round& a, const Round& b);

/// Whether the speedups of the deciding cases of two rounds may be compared: `comparable`, and the same cases.
bool same_conditions(const Round& a, const Round& b);

/// Timed rounds with the same conditions; never empty.
using RoundGroup = std::vector<const Round*>;

/// All timed rounds in groups of the same conditions, in the order of their first rounds.
std::vector<RoundGroup> groups_of(const History& history);

/// The round with the highest speedup in its deciding case.
const Round& best_of(const RoundGroup& group);

/// Whether a round ran the project's cases over the project's baseline for its device: what speaks for the project.
bool is_of_project(const Round& round, const Project& project);

/// Whether a recorded round was verified by the project's present definition, but for its name and description. Reads
/// the round's record; true where that cannot be read.
bool has_present_definition(const Round& round, const Project& project);
/// Whether two definitions are of the same results: equal but for their names and descriptions.
bool compute_the_same(Operator one, Operator other);

/// The best round of a variant on a device for the present project: among the rounds with the project's cases and its
/// baseline there, in the environment of the newest of them. Null where there is none.
const Round* best_round(const History& history, const Project& project, std::string_view variant,
                        std::string_view device);

}  // namespace kernelgen

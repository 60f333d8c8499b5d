// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/round/record.h"

namespace kernelgen {

/// The recorded rounds of a project.
struct History {
    std::vector<Round> rounds;           ///< ascending in number
    std::map<int, Lessons> lessons;      ///< by round; the newest text of each field
    std::map<std::string, int> current;  ///< by variant: its current round, the last that was recorded or restored
    std::vector<Said> warnings;          ///< skipped lines, with their line numbers
};

/// Reads `history.jsonl`; a missing file is an empty history. Torn lines and lines of a newer schema are skipped with
/// a warning. 10,000 rounds load in well under a second.
Result<History> load_history(const std::filesystem::path& project_folder);

/// The round of this number, or null.
const Round* find_round(const History& history, int number);

/// The round to which a round's gain refers: its nearest ancestor that was timed, or its parent where none was; null
/// without parent.
const Round* compared_with(const History& history, const Round& round);

/// Records a round. Takes the history's lock; sets the round's next number, its parent (the round that its strategy
/// changed, else `parent` where that is a round of its variant, else the variant's current round) and its kind of
/// change; writes `rounds/N/` (sources and result.json); then appends the line. On success `number`, `parent` and
/// `change` of `detail.round` are set. If the process is killed at any moment, all earlier records stay intact; a
/// folder without a line keeps its number, which is not used again. Errors: read-only folder, full disk; nothing is
/// left behind then.
Result<void> record_round(const std::filesystem::path& project_folder, RoundDetail& detail,
                          std::optional<int> parent = {});

/// Appends the lessons of an existing round; empty fields do not change the earlier lessons. Errors: no such round,
/// more than 2 KiB.
Result<void> record_lessons(const std::filesystem::path& project_folder, int round, const Lessons& lessons);

Result<RoundDetail> load_round_detail(const std::filesystem::path& project_folder, int round);

/// Replaces the project's variant (source, configuration, launch, tunables) by that of a round, with the dispatch rule
/// for which a strategy made the round; saves the project, and
/// records the return: this round is the parent of the variant's next round. Errors: the project no longer has the
/// variant, or the round's variant does not fit the present definition; nothing is changed then.
Result<void> keep_round(Project& project, int round);

}  // namespace kernelgen

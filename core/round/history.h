// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/round/record.h"

namespace kernelgen {

/// The rounds of a project, as recorded.
struct History {
    std::vector<Round> rounds;           ///< ascending in number
    std::map<int, Lessons> lessons;      ///< by round; the newest of each kind
    std::map<std::string, int> current;  ///< by variant, the round it stands at: the newest recorded or kept
    std::vector<std::string> warnings;   ///< lines that were skipped, with their line numbers
};

/// Reads `history.jsonl`; a missing file is an empty history. Torn lines and lines of a newer schema are skipped with
/// a warning. 10,000 rounds load in well under a second.
Result<History> load_history(const std::filesystem::path& project_folder);

/// The round of this number, or null.
const Round* find_round(const History& history, int number);

/// What a round's gain is over: its nearest ancestor that was timed, or its parent where none was; null without parent.
const Round* compared_with(const History& history, const Round& round);

/// Records a round: gives it the next number under the history's lock, finds its parent (`parent` where that is a round
/// of its variant, else the round that its variant stands at) and its kind of change, writes `rounds/N/` (sources as
/// they were, result.json) and then appends the line. On success `number`, `parent` and `change` of `detail.round` are
/// set. A process killed at any moment leaves every earlier record whole; a folder that it left without a line keeps
/// its number, which is not given again. Errors: read-only folder, full disk; then nothing is left behind.
Result<void> record_round(const std::filesystem::path& project_folder, RoundDetail& detail,
                          std::optional<int> parent = {});

/// Appends the lessons of a round that exists; what is empty stays as it was. Errors: no such round, more than 2 KiB.
Result<void> record_lessons(const std::filesystem::path& project_folder, int round, const Lessons& lessons);

Result<RoundDetail> load_round_detail(const std::filesystem::path& project_folder, int round);

/// The source text of a round as it was.
Result<std::string> load_round_source(const std::filesystem::path& project_folder, int round);

/// Makes a round's variant (source, configuration, launch, tunables) the project's, saves it, and records that the
/// variant stands at that round, which makes it the parent of the next. Errors: a variant that the project has no more,
/// a definition that the round's variant does not fit any more; then nothing is changed.
Result<void> keep_round(Project& project, int round);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/round/record.h"

namespace kernelgen {

/// The rounds of a project, as recorded.
struct History {
    std::vector<Round> rounds;             ///< ascending in number
    std::map<int, Lessons> lessons;        ///< by round; the newest of each kind
    std::vector<std::string> warnings;     ///< lines that were skipped, with their line numbers
};

/// Reads `history.jsonl`; a missing file is an empty history. Torn lines and lines of a newer schema are skipped with
/// a warning. 10,000 rounds load in well under a second.
Result<History> load_history(const std::filesystem::path& project_folder);

/// Records a round: gives it the next number under the history's lock, finds its parent and kind of change, writes
/// `rounds/N/` (sources as they were, result.json) and then appends the line. On success `detail.round.number` is set.
/// A process killed at any moment leaves every earlier record whole. Errors: read-only folder, full disk.
Result<void> record_round(const std::filesystem::path& project_folder, RoundDetail& detail);

/// Appends the lessons of a round that exists.
Result<void> record_lessons(const std::filesystem::path& project_folder, int round, const Lessons& lessons);

Result<RoundDetail> load_round_detail(const std::filesystem::path& project_folder, int round);

/// The source text of a round as it was.
Result<std::string> load_round_source(const std::filesystem::path& project_folder, int round);

/// Makes a round's configuration and sources the project's.
Result<void> keep_round(Project& project, int round);

}  // namespace kernelgen

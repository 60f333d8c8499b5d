// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/strategy/pattern.h"

namespace kernelgen {

/// Patterns as they were read, and what could not be.
struct Patterns {
    std::vector<Pattern> all;           ///< own ones, then imported and shipped ones
    std::vector<std::string> warnings;  ///< skipped lines, with file and number, and files that cannot be read
    std::string skipped;                ///< those lines, which stay in the file when it is written again
};

/// Reads lines of patterns. A line that is not a pattern is skipped with a warning.
Patterns parse_patterns(std::string_view text, const std::string& file, bool is_own);

/// The user's own (`patterns.jsonl` in the data folder), imported (`patterns_imported.jsonl`) and shipped ones
/// (resources/patterns). An imported one takes the place of the shipped one of its key. A missing file has none.
Patterns load_patterns();

/// The patterns with a round's gain over the round before, in each of its cases: it is added to the user's own ones
/// among them. A round that a person made by moving
/// tunables counts for the strategy that would have moved them so. Unchanged where there is none, or where the round
/// was cancelled or found no device.
std::vector<Pattern> learnt_from(const RoundDetail& detail, const Round& before, std::vector<Pattern> own);

/// Adds the round to the user's own patterns, under a lock. Errors: a folder that cannot be written.
Result<void> learn_pattern(const RoundDetail& detail, const Round& before);

/// The patterns of all recorded rounds of a project, added to `patterns`. Errors: a history that cannot be read.
Result<std::vector<Pattern>> learnt_from_project(const std::filesystem::path& folder, std::vector<Pattern> patterns);

/// The lines of these patterns, as `patterns export` writes them.
std::string pattern_lines(std::span<const Pattern> patterns);

/// Adds the patterns of a file to the imported ones; those of the same key are replaced. Returns how many there were.
/// Errors: a file that cannot be read, or has a line that is no pattern: nothing is imported then.
Result<int> import_patterns(const std::filesystem::path& file);

/// Stores a pattern's note, and whether the patterns of its key are disabled: own, imported and shipped ones together.
/// Their numbers stay as they are in the files. A shipped one becomes an imported one. Errors: it is gone; a note over
/// 2000 bytes; a file that cannot be read or written.
Result<void> edit_pattern(const Pattern& pattern);

/// Removes an own or imported pattern. Errors: it is gone, or shipped: disable that.
Result<void> remove_pattern(const Pattern& pattern);

/// The pattern whose id begins so: the user's own where there is one. Errors: none, or several.
Result<Pattern> find_pattern(std::string_view id);

/// Removes the own or imported pattern whose id begins so. Errors: none, or several; a shipped one, which loses weight
/// by itself where the user's own rounds contradict it.
Result<Pattern> remove_pattern(std::string_view id);

}  // namespace kernelgen

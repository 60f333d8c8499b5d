// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/said.h"
#include "core/tune/tried.h"
#include "core/tune/tuning_head.h"

namespace kernelgen {

/// The version of a line in `tunings/N.jsonl`. Raise it when an older reader would misread a new line.
inline constexpr int tuning_schema_version = 1;

/// What a line of the file tells of a configuration.
enum class TriedLine {
    result,     ///< what became of it
    racing,     ///< what the first pairs of a race say, which counts where that race never ended
    semifinal,  ///< of `Tuning::semifinal`
    across      ///< of `Tuning::across`
};

/// How a tuning ended: the last line of its file.
struct TuningOutcome {
    enum class Kind { winner, tie, failed };
    Kind kind = Kind::tie;
    bool is_decided = true;  ///< false, of a tie: too little was measured to tell, and the incumbent stays for that
    Configuration configuration = {};          ///< that the tuning recommends: the winner's or the incumbent's
    Said reason = {};                          ///< a sentence on how it was decided
    double speedup = 0, lower = 0, upper = 0;  ///< of the best finalist over the incumbent, in pairs; 0: not known
    std::optional<Configuration> runner_up = {};
    std::optional<int> round = {};
    int tried = 0, failed = 0;
    double seconds = 0;               ///< of the whole tuning
    double waited_seconds = 0;        ///< beside these, while another kernelgen built or measured on the device
    std::vector<Said> left_out = {};  ///< what there was no time for: sentences, each with a remedy
};
std::string_view to_string(TuningOutcome::Kind kind);
std::string_view to_words(const TuningOutcome& outcome);  ///< its kind, or "tie, not decided"

/// The content of a file of `tunings/`. Of several results of one configuration the last counts.
struct Tuning {
    TuningHead head;
    std::vector<Tried> tried;
    std::optional<TuningOutcome> outcome;
    std::vector<Tried> across;  ///< configurations of the command's cases, raced together on this one at the end
    std::vector<Tried> semifinal = {};  ///< the best, raced again
    std::vector<Said> warnings = {};    ///< skipped lines, with their line numbers
};

/// Whether the command whose cases these tunings are still has to race their configurations on all of the cases: there
/// are several, all were decided, and not all as ties of one incumbent.
bool lacks_race_across(const std::vector<Tuning>& tunings);

nlohmann::json to_json(const TuningHead& head);
nlohmann::json to_json(const Tried& tried, TriedLine line = TriedLine::result);
nlohmann::json to_json(const TuningOutcome& outcome);

/// Adds the content of a line of a tuning's file to `tuning`; `is_first` where it must be the head. Keys that this
/// program does not know are passed over. Errors: why the line cannot be read.
Result<void> read_tuning_line(std::string_view line, bool is_first, Tuning& tuning);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/lang/operator.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The version of a line in `tunings/N.jsonl`. Raise it when an older reader would misread a new line.
inline constexpr int tuning_schema_version = 1;

/// Configurations that were never tried, and why.
struct Pruned {
    Said reason;
    std::uint64_t count = 0;
    bool is_estimate = false;  ///< the count, of a space that is too large to be enumerated
};

std::uint64_t count_of(const std::vector<Pruned>& pruned);  ///< of all reasons

/// By tunable, the values that take part in a tuning. A tunable without an entry takes part with all of its values.
using ChosenValues = std::map<std::string, std::vector<std::int64_t>>;

/// What a tuning is about: the first line of its file.
struct TuningHead {
    int number = 0;
    int first = 0;     ///< of one command that tunes several cases: the number of its first tuning
    std::string time;  ///< ISO 8601, UTC
    std::string project, variant, device;
    Case binding;
    std::vector<Case> cases;          ///< all that the command tunes, in order
    std::vector<Tunable> parameters;  ///< with the values that take part
    ChosenValues chosen;              ///< what a person chose of them
    std::vector<std::string> let, restrictions;
    Sizes sizes;  ///< other names that expressions may use: symbols and `device.*`
    std::uint64_t configurations = 0;
    std::vector<Pruned> pruned;
    Configuration incumbent;
    std::string strategy;
    std::uint64_t seed = 0;
    double budget_seconds = 0;          ///< for this case
    double command_budget_seconds = 0;  ///< for all cases of the command; 0 in older files
    std::optional<int> evaluations;     ///< the most configurations to try; nothing: no limit
    std::string objective;
    std::string environment;  ///< fingerprint
    std::string source_hash;
    std::string headers_hash;          ///< of kernelgen's own headers, which kernels include; "" in older files
    std::string setup_hash;            ///< of the definition and the variant, without values; "" in older files
    Configuration settings;            ///< `--set`
    std::string baseline;              ///< against which the recommended configuration is run; "": the project's
    double timeout_seconds = 0;        ///< of one call of a kernel; 0 in older files
    std::vector<std::string> history;  ///< files with recordings that it began with; empty: none
};

/// The numbers of the device among the tuning's sizes, by the names that `device.` stands before there.
Sizes device_of(const TuningHead& head);

/// One configuration that was tried.
struct Tried {
    Configuration configuration = {};
    Status status = Status::ok;
    Said reason = {};
    double objective = 0;              ///< lower is better
    double seconds = 0;                ///< of one call: `ratio` times the incumbent's, within the samples
    double ratio = 0;                  ///< of its time to the incumbent's, measured in the same turns
    std::vector<double> samples = {};  ///< seconds of one call
    bool left = false;                 ///< clearly slower than the best before it, and sampled no further
    double memory_bytes = 0;           ///< workspace, and the shared memory of a block
    double energy_joules = 0;          ///< of one call, where the objective asks for it
    double energy_ratio = 1;           ///< to the incumbent's, measured in the same race
    double build_seconds = 0, screen_seconds = 0, race_seconds = 0;
    std::map<std::string, double> resources = {};  ///< of the build
    double elapsed_seconds = 0;                    ///< of the tuning, when this was known
    std::string worker = {};                       ///< that tried it; "" where there was one only

    bool is_ok() const { return status == Status::ok; }
};

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

nlohmann::json to_json(const std::vector<Pruned>& pruned);
nlohmann::json to_json(const TuningHead& head);
nlohmann::json to_json(const Tried& tried, TriedLine line = TriedLine::result);
nlohmann::json to_json(const TuningOutcome& outcome);

/// Adds the content of a line of a tuning's file to `tuning`; `is_first` where it must be the head. Keys that this
/// program does not know are passed over. Errors: why the line cannot be read.
Result<void> read_tuning_line(std::string_view line, bool is_first, Tuning& tuning);

}  // namespace kernelgen

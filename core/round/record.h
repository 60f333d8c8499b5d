// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/explain/explanation.h"
#include "core/measure/environment.h"
#include "core/measure/result.h"
#include "core/measure/roofline.h"
#include "core/project/project.h"
#include "core/round/applied.h"
#include "core/verify/result.h"

namespace kernelgen {

/// The version of a line in `history.jsonl`. Raise it when an older reader would misread a new line.
inline constexpr int round_schema_version = 1;

/// The kind of change from the parent round to this one, in ascending gravity; found by comparing the two.
enum class ChangeKind { first, none, tunables, implementation, interface, logic };
std::string_view to_string(ChangeKind kind);

/// The summary of one case of a round.
struct RoundCase {
    Case binding;
    Configuration configuration;  ///< on this case, where it is not the round's; else empty
    Status status = Status::ok;
    double speedup = 0, speedup_lower = 0, speedup_upper = 0;  ///< 0 where it was not timed
    double seconds = 0, baseline_seconds = 0;                  ///< medians
    double rsd = 0, baseline_rsd = 0;                          ///< relative standard deviations of the samples
    double max_absolute_error = 0;
    RooflinePoint roofline;
};

/// One recorded attempt: the content of a line in `history.jsonl` (at most about 2 KiB: long reasons are cut, and of
/// many cases only some are kept).
struct Round {
    int number = 0;
    std::optional<int> parent;
    std::string time;  ///< ISO 8601, UTC
    std::string device;
    std::string variant;
    std::string baseline;
    Configuration configuration;
    ChangeKind change = ChangeKind::first;
    Status status = Status::ok;
    Said reason;  ///< why the status is not ok
    Said note;    ///< on why this round was made: the user's, or the tuning's that made it
    bool target_reached = false;
    double target_speedup = 1;
    double budget_seconds = 0;  ///< time for the samples of a case; 0: not recorded
    std::string environment;    ///< fingerprint
    std::string source_hash;
    int case_count = 0;
    std::vector<RoundCase> cases;
    std::optional<AppliedStrategy> applied = {};  ///< where it was made with a strategy
};

/// The lessons of a round, as the log prints them.
struct Lessons {
    std::string worked, failed, next;
};

/// The content of `rounds/N/result.json`: everything that is recorded of a round.
struct RoundDetail {
    Round round;
    Operator definition;
    Implementation candidate;
    Implementation baseline;
    Environment environment;
    Ceilings ceilings;
    VerifyResult verification;  ///< of the candidate, with its builds
    Builds baseline_builds;
    std::vector<BenchResult> timings;
    std::optional<Explanation> explanation;  ///< of a candidate with wrong results, where one was looked for
};

nlohmann::json to_json(const RoundCase& summary);
nlohmann::json to_json(const Round& round);
Result<Round> round_from_json(const nlohmann::json& json);
nlohmann::json to_json(const RoundDetail& detail);
Result<RoundDetail> round_detail_from_json(const nlohmann::json& json);

}  // namespace kernelgen

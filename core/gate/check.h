// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/engine/run.h"
#include "core/gate/gate_file.h"
#include "core/gate/threshold.h"
#include "core/gate/verdict.h"

namespace kernelgen {

/// A case against its stored baseline.
struct GatedCase {
    Case binding;
    Verdict verdict = Verdict::ambiguous;
    Ratio ratio;  ///< of the run that decided
    Threshold threshold;
    int runs = 0;                                ///< how often it was timed
    std::optional<GatedAccuracy> accuracy_then;  ///< nothing where the case is not stored
    GatedAccuracy accuracy_now;
    std::vector<std::string> worse_in;  ///< keys of what is over its limit (accuracy.h)
    Said reason;                        ///< why nothing was compared; else empty

    bool less_accurate() const { return !worse_in.empty(); }
};

/// One check of a variant on a device: a line of `gate.jsonl`.
struct GateCheck {
    std::string project;  ///< its name
    std::string variant;
    std::string device;
    std::string time;  ///< ISO 8601, UTC
    std::string environment;
    std::string source;          ///< the present source file, for annotations; may be empty
    int round = 0;               ///< of the stored baseline
    bool archived = false;       ///< compared with stored numbers, not in pairs
    bool unchanged = false;      ///< the stored sources and configuration are the present ones
    Status status = Status::ok;  ///< of the present variant
    Said reason;                 ///< why the status is not ok, or why it was not done in pairs
    Said hint;                   ///< the first recorded round that is slower
    std::vector<GatedCase> cases;
};

/// What was asked of a check.
struct GateOptions {
    std::optional<double> threshold;  ///< for all cases, as a share; nothing: stored, or learned
    bool archived = false;            ///< do not build the stored sources
};

/// How a check ended, in ascending gravity.
enum class GateOutcome { passed, ambiguous, slower, failed };
GateOutcome outcome_of(const GateCheck& check);
/// Whether a case is slower or less accurate.
bool is_worse(const GatedCase& checked);

/// Verifies the plan's candidate, builds the stored sources and times both in pairs, case by case. A case that is not
/// `same` is timed again; a verdict counts where two of at most three timings agree on it. Where the stored sources
/// cannot be used, the speedups over the project's baseline are compared (`archived`). `past` are earlier checks of the
/// same variant and device, from which thresholds are learned.
GateCheck check_gate(const RunPlan& plan, const StoredBaseline& stored, const GateOptions& options,
                     std::span<const GateCheck> past, WorkerClient& worker, const Progress& progress,
                     std::stop_token stop);

}  // namespace kernelgen

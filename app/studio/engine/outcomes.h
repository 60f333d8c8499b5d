// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/backend/build.h"
#include "core/bench/model.h"
#include "core/gate/check.h"
#include "core/optimize/optimize.h"
#include "core/round/comparison.h"
#include "core/tuning/tune.h"

namespace kernelgen::studio {

/// How a run ended: a round, or a verification alone.
struct RunOutcome {
    bool verify_only = false;
    RoundDetail detail;  ///< `detail.round.number` is its number where it was recorded
    bool recorded = false;
    QString problem;         ///< why there is no result, or why it was not recorded
    bool no_device = false;  ///< nothing ran: the worker could not be reached, or the device was away
};

/// How a comparison of all variants ended.
struct ComparisonOutcome {
    std::shared_ptr<const Comparison> comparison;  ///< null where none began
    std::size_t wanted = 0;                        ///< variants that were to be compared
    bool kept = false;                             ///< in the project
    QString problem;
};

/// What has happened in a tuning since the news before.
struct TuningNews {
    TuneState state;                 ///< which refers to nothing any more
    std::optional<TuningHead> head;  ///< of the case under work; nothing while its round is made
    std::vector<Tried> tried;
};

/// How a tuning ended, or stopped.
struct TuningEnd {
    std::vector<CaseTuning> cases;  ///< that were tuned, in order
    bool stopped = false;
    QString problem;
};

/// A strategy that is to be applied to a round, under a plan for its variant and device.
struct AppliedPlan {
    RunPlan run;
    std::shared_ptr<const RoundDetail> before;
    Proposal proposal;
};

/// What an optimization has recorded, and what it does next.
struct OptimizationNews {
    Round recorded;
    std::optional<Proposal> next;  ///< nothing where it ends
};

/// How an optimization ended.
struct OptimizationEnd {
    std::shared_ptr<const Optimization> done;  ///< null where it could not begin, or a round could not be recorded
    QString problem;
};

/// How recording or checking a gate ended.
struct GateEnd {
    std::optional<StoredBaseline> stored;  ///< what is stored now, where that was asked for
    std::optional<GateCheck> check;
    QString problem;  ///< why there is neither, or why it was not kept
};

/// What a model's process was asked, and its answer.
struct ModelOutcome {
    ModelRequest request;
    ModelAnswer answer;
};

/// A build that was made while sliders moved.
struct BuildOutcome {
    std::string variant;
    Configuration configuration;
    DType dtype = DType::f32;
    BuildResult result;
    double seconds_to_show = 0;  ///< from the request to its result, in the GUI thread
};

}  // namespace kernelgen::studio

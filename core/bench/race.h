// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/bench/bench.h"
#include "core/verify/kept_inputs.h"
#include "core/verify/reference_cache.h"

namespace kernelgen {

struct RaceResult;
/// Told in the course of a race, in the race's thread, a result for each candidate; one without samples yet has no
/// `seconds`.
using RaceNews = std::function<void(const std::vector<RaceResult>&)>;

/// A first look at candidates that were screened on other sizes: `sides.baseline` sets the pace: all
/// times are related to its time. `sides.performance.budget_seconds` is the time for all samples.
struct RaceRequest {
    BenchRequest sides;
    /// A candidate that took longer than this many times the pace in each of its first pairs is a clear loser.
    double leave_above = std::numeric_limits<double>::infinity();
    int most_pairs = 24;                   ///< of samples, after which a race ends before its time
    double energy_seconds = 0;             ///< for how long each side is called to measure its energy; 0: it is not
    ReferenceCache* references = nullptr;  ///< what is known of a body's results; null: nothing is remembered
    KeptInputs* inputs = nullptr;          ///< the case's inputs; null: they are made
    RaceNews tell = {};  ///< is told what the first pairs say, where the further ones take a while; may be empty
};

/// The samples of one candidate, with the pace's of the same turns: seconds of one call.
struct RaceResult {
    Status status = Status::ok;
    Said reason = {};
    std::vector<double> seconds = {}, pace_seconds = {};
    double ratio = 0;   ///< median of `seconds` over `pace_seconds`, pair by pair
    bool left = false;  ///< a clear loser, which was not sampled to the end
    /// Joules of one call, and of one of the pace, where that was asked for and the device tells it.
    double energy = 0, pace_energy = 0;

    bool ok() const { return status == Status::ok; }
};

/// Calls each side once on the case and judges its outputs; then times those that are right in turns of random order
/// with the pace, in few samples, to sort out the slow ones; under the device's lock. The outputs of timed calls are
/// not checked: who wins is timed again by `bench`. A candidate that is wrong, crashes or hangs in a race of its own
/// with the pace has its status, and the others are timed without it. Where the pace fails, candidates are
/// `unavailable`. Never throws.
std::vector<RaceResult> race(const RaceRequest& request, Backend& backend, const Progress& progress,
                             std::stop_token stop);

nlohmann::json to_json(const RaceResult& result);
RaceResult race_result_from_json(const nlohmann::json& json);

}  // namespace kernelgen

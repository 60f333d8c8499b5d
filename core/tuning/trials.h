// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include "core/engine/run.h"
#include "core/lang/body.h"
#include "core/tune/objective.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// Who is told of results before their batch has ended; either may be empty.
struct BatchNews {
    std::function<void(const Tried&)> fell;  ///< of a configuration that failed before the race
    /// What the first pairs of the race say of those that are right; called in another thread.
    std::function<void(std::vector<Tried>)> raced;
};

/// Tries configurations of a plan's candidate on its one case: builds them, several at a time; screens what was built;
/// and races it with the configuration that sets the pace, to whose time all other times are related. A configuration
/// that fails has its status, and harms no other one.
class Trials {
public:
    /// All arguments must outlive it; `plan` has the device's numbers.
    Trials(const RunPlan& plan, const Objective& objective, WorkerClient& worker, const Progress& progress,
           std::stop_token stop);
    ~Trials();  ///< cancels what is being built
    Trials(const Trials&) = delete;

    /// Tries the configuration that sets the pace from now on: times are related to its time, which is `known_seconds`
    /// where an earlier session measured it on this worker. Where it fails, nothing sets the pace.
    Tried set_pace(const Configuration& configuration, std::optional<double> known_seconds = {});
    bool has_pace() const { return pace_.has_value(); }
    /// Begins to build the configuration with which `set_pace` will be called.
    void begin_pace(const Configuration& configuration);
    /// From now on the pace counts as this many seconds: what the worker that tried it first measured.
    void relate_to(double seconds) { pace_->seconds = seconds; }

    /// Begins to build configurations in the background.
    void begin(const std::vector<Configuration>& configurations);
    /// Cancels all that is being built.
    void cancel_builds();
    /// Waits for the oldest batch of builds, screens what was built, and races it: one result for each configuration
    /// that was not cancelled. Where a further batch is building, the slowest quarter of the builds moves to that one.
    /// Configurations that are clearly slower than `best_ratio` times the pace are not sampled to the end. What
    /// `news.fell` was told of is not among the results.
    std::vector<Tried> finish(double best_ratio, const BatchNews& news = {});

    /// Times several that were tried before all in one rotation with the pace, for about so many seconds, and so gives
    /// them objectives that can be compared; those that fail now have their status.
    void race_again(std::vector<Tried>& tried, double seconds);

    Implementation with(const Configuration& configuration) const;

private:
    struct Building {
        Configuration configuration;
        std::stop_source stop;
        std::shared_ptr<std::atomic<bool>> is_waiting;  ///< for others that hold the device, before it begins
        std::future<BuildResult> result;
    };
    /// The configuration to which all others are related.
    struct Pace {
        Implementation implementation;
        double seconds = 0, own_seconds = 0;  ///< to which times are related; what it takes on this worker
        double memory_bytes = 0;
        double build_seconds = 0;
    };

    std::vector<Case> screened_sizes(const Implementation& implementation) const;
    Building start_build(const Configuration& configuration) const;
    void leave_stragglers();
    void tell_waiting(bool waits, bool& is_told) const;
    bool hangs(const Building& building) const;
    Tried wait_for(Building& building) const;
    double build_limit() const;
    double call_limit() const;
    void take_called(Tried& tried, Status status, const Said& reason) const;
    void verify(Tried& tried, VerifyRequest request);
    void screen(Tried& tried);
    /// How long a race samples, and when it ends or is left before that.
    struct RaceLimits {
        double seconds = 0, leave_above = std::numeric_limits<double>::infinity();
        std::optional<int> most_pairs = {};
    };
    void race(std::vector<Tried*> tried, const RaceLimits& limits, const BatchNews& news = {});
    void take_raced(Tried& tried, const RaceResult& result, double seconds) const;
    void take_energy(Tried& tried, const RaceResult& result) const;
    void relate(Tried& tried) const;

    const RunPlan& plan_;
    const Objective& objective_;
    WorkerClient& worker_;
    const Progress& progress_;
    std::stop_token stop_;
    std::optional<Body> body_;  ///< of a family that has one
    std::optional<Building> pace_building_;
    std::optional<Pace> pace_;
    std::set<Configuration> screened_;  ///< by this worker
    std::deque<std::vector<Building>> building_;
};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>

#include "core/tuning/batch.h"
#include "core/tuning/case_job.h"
#include "core/tuning/case_space.h"
#include "core/tuning/next_to_try.h"
#include "core/tuning/shared_pace.h"
#include "core/tuning/suspects.h"

namespace kernelgen {

/// The search of one case, which several workers share: what was tried, what is tried next, and when it is over. Each
/// result is on the disk before anything is begun for it. The *pace* is the time of the configuration to which all
/// other times are related: the incumbent, or another one where the incumbent fails. Thread safe.
class SharedSearch {
public:
    /// `tuning` has a head, and what was tried already. `space` is that of the job's plan.
    SharedSearch(const CaseJob& job, const CaseSpace& space, Tuning tuning);

    /// A worker takes part until it leaves.
    void enter();
    void leave();
    /// The next configurations for a worker that builds `builds_at_once` in parallel; empty: nothing to do now.
    /// `has_nothing`: the worker has nothing under way, and may get what it must try alone.
    Batch begin(int builds_at_once, bool has_nothing);
    /// The worker began these and did not try them: they are given out again.
    void put_back(const std::vector<Configuration>& configurations);
    /// The configuration that a worker tries in order to set the pace: the incumbent, or another one after it failed.
    Batch begin_pace();
    /// Records what became of configurations on this worker; `count` of those that it began have ended.
    void take(const TuningWorker& worker, std::vector<Tried> tried, std::size_t count);
    /// Keeps what the first pairs of a race on this worker say, for a tuning that is ended before the race is.
    void keep_racing(const TuningWorker& worker, std::vector<Tried> racing);
    /// The worker died with these under way: each is tried once more elsewhere, or has crashed.
    void give_back(const TuningWorker& worker, const std::vector<Configuration>& under_way);
    /// For a worker that got an empty batch: waits until the results of others change what there is to do. False where
    /// the search is over.
    bool wait_for_others();
    /// Records configurations with which two workers died, now that another one is alive.
    void record_crashed();

    std::optional<SharedPace> pace() const;
    /// Records the trial of what `begin_pace` gave; the first that succeeds sets the pace. Returns the pace that is
    /// known then.
    std::optional<SharedPace> settle_pace(const TuningWorker& worker, Tried tried);

    /// Records a result without anything else, such as a finalist that fell.
    void record(std::vector<Tried> tried);
    /// Keeps what the semifinal says, so that a tuning that goes on does not hold it again.
    void record_semifinal(const std::vector<Tried>& raced);
    /// Why a result could not be written. The search is over then.
    std::optional<Error> failure() const;

    Tuning tuning() const;
    std::optional<Tried> find(const Configuration& configuration) const;
    double best_ratio() const;       ///< to the pace
    double elapsed_seconds() const;  ///< with earlier sessions
    bool is_cut_short() const;       ///< whether there was no time for another configuration than the incumbent
    int failed() const;
    void report(const std::string& stage) const;
    void report_all() const;  ///< with all that was tried

private:
    using Lock = std::unique_lock<std::mutex>;

    // These are called under the lock.
    void wake_others();
    const Tried* known(const Configuration& configuration) const;
    bool write(const Tried& tried, TriedLine line);
    void sign(const TuningWorker& worker, Tried& tried) const;
    void add(Tried& tried);
    void say(const std::string& stage, std::span<const Tried> news) const;
    int begun() const;              ///< configurations, also those that have ended
    double search_seconds() const;  ///< the budget's share for the search
    double seconds_left() const { return search_seconds() - job_.time.spent(); }
    double still_to_begin() const;
    bool is_polishing(int builds_at_once) const;
    bool lacks_incumbent() const;
    Batch begin_incumbent();
    bool is_over() const;
    bool is_time_left() const;
    int batch_size(int builds_at_once) const;
    void write_crashed();

    const CaseJob& job_;
    const CaseSpace& space_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    Tuning tuning_;
    NextToTry next_;
    std::optional<SharedPace> pace_;
    bool has_begun_incumbent_ = false;
    /// How far the search was when the pace became known: the rate of configurations is measured from then on.
    struct PaceKnown {
        double tried = 0, elapsed_seconds = 0;
    };
    std::optional<PaceKnown> pace_known_;
    Suspects suspects_;
    int inside_ = 0, idle_ = 0;  ///< workers
    int under_way_ = 0;          ///< configurations, on all workers
    std::uint64_t changes_ = 0;  ///< that may give a worker something to do
    std::optional<Error> failure_;
    double earlier_seconds_ = 0;  ///< of sessions before
};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "core/tuning/shared_search.h"
#include "core/tuning/trials.h"

namespace kernelgen {

/// One worker's part of a case's search: it tries configurations until the search is over or the worker is lost.
class WorkerSearch {
public:
    /// All arguments must outlive it.
    WorkerSearch(const CaseJob& job, SharedSearch& search, const TuningWorker& worker);

    void run();

    const TuningWorker& worker() const { return worker_; }
    bool is_alive() const { return worker_.client->alive(); }
    const RunPlan& plan() const { return plan_; }  ///< with the numbers of the worker's device
    Trials& trials() { return trials_; }
    const Progress& progress() const { return progress_; }

private:
    bool is_stopped() const { return job_.time.cut().stop_requested(); }
    bool builds_ahead() const;
    void begin_early();
    bool find_pace();
    bool begin_pace();
    bool put_back();
    bool give_up(const Said& reason);
    bool settle_pace(Tried tried);
    bool use_pace(const SharedPace& pace);
    void search_on();
    void begin_batches(std::size_t most);
    void finish_batch();
    void end_batch(std::vector<Tried> tried);
    void end_one(const Tried& fallen);
    void give_back();

    const CaseJob& job_;
    SharedSearch& search_;
    const TuningWorker& worker_;
    RunPlan plan_;
    Progress progress_;
    Trials trials_;
    /// The batches that `trials_` builds, oldest first. While the pace is being found, what is tried for it is the
    /// first.
    std::deque<Batch> under_way_;
    bool is_pace_begun_ = false;
};

}  // namespace kernelgen

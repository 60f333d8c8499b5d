// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/tuning/final.h"
#include "core/tuning/shared_search.h"
#include "core/tuning/worker_search.h"

namespace kernelgen {

/// How a final ended, and the worker on which it was held, which therefore has verified the winner.
struct Decision {
    Final final;
    const WorkerSearch* place = nullptr;  ///< null where the time was over and no worker is left
};

/// Tunes one case. First all workers search. Then one of them times the best configurations against each other again
/// (the semifinal) and decides between the fastest of these, the finalists, and the incumbent.
class CaseTuner {
public:
    /// `tuning` has a head, and what was tried already. `space` is that of the plan.
    CaseTuner(const CaseJob& job, const CaseSpace& space, Tuning tuning);

    /// Searches until the budget's share for it is spent, all is tried or a stop is requested; not where the job only
    /// decides. Each result is recorded
    /// before the next begins. Errors: a line that cannot be written; no worker is left.
    Result<void> search();
    /// Decides, without recording the outcome, as far as there is time; what was left out is in the outcome. Nothing
    /// where the user's stop is requested. Errors: as `search`.
    Result<std::optional<Decision>> finish();

    Tuning tuning() const { return search_.tuning(); }
    double elapsed_seconds() const { return search_.elapsed_seconds(); }  ///< with earlier sessions
    double waited_seconds() const { return job_.time.waited(); }
    int failed() const { return search_.failed(); }

private:
    bool is_stopped() const { return job_.time.cut().stop_requested(); }
    void search_at(std::size_t place);
    WorkerSearch* meeting_place();
    std::vector<Tried> semifinal(WorkerSearch& place, bool has_incumbent);
    std::vector<Tried> raced_again(WorkerSearch& place, std::vector<Tried> best, const std::vector<Tried>& known);
    bool is_right(const Tried& incumbent, WorkerSearch& place, VerifyResult& verified);
    std::size_t count_finalists(double verification_seconds, const Tried* incumbent) const;
    std::optional<Tried> rival_of(const Tried* incumbent) const;
    Said why_undecided(const FinalRequest& request, const std::vector<Tried>& fallen) const;
    Final hold_final(const FinalRequest& request, WorkerSearch& place, double verification_seconds);
    Final decide_at(WorkerSearch& place);

    const CaseJob& job_;
    SharedSearch search_;
    std::stop_source search_ended_;                      ///< workers that are not there yet are not waited for
    std::vector<std::unique_ptr<WorkerSearch>> places_;  ///< of the pool; null where the worker did not come
};

/// The error of a tuning that has no worker left.
Error no_worker_left(const WorkerPool& pool);

}  // namespace kernelgen

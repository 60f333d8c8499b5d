// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <stop_token>

#include "core/tune/tuning_file.h"
#include "core/tuning/case_space.h"
#include "core/tuning/final.h"
#include "core/tuning/trials.h"
#include "core/tuning/tune.h"

namespace kernelgen {

/// What tuning one case needs; all must outlive it.
struct CaseJob {
    const RunPlan& plan;  ///< with one case and the device's numbers; its candidate is the incumbent
    const TuneOptions& options;
    double budget_seconds = 0;
    TuningFile& file;
    WorkerClient& worker;
    const TuneProgress& progress;
    std::stop_token stop;
};

/// Tunes one case: searches, lets the best meet again, and decides between the finalists and the incumbent.
class CaseTuner {
public:
    /// `tuning` has a head, and what was tried already. `space` is that of the plan.
    CaseTuner(const CaseJob& job, const CaseSpace& space, Tuning tuning, int builds_at_once);

    /// Searches until the budget's share for it is spent, all is tried or a stop is requested. Each result is recorded
    /// before the next begins. Errors: a line that cannot be written, a worker that died.
    Result<void> search();
    /// Decides, without recording the outcome. Nothing where a stop is requested.
    Result<std::optional<Final>> finish();

    const Tuning& tuning() const { return tuning_; }
    double elapsed_seconds() const;
    int failed() const;

private:
    Result<void> find_pace();
    Result<void> search_on();
    Result<void> take(std::vector<Tried> tried);
    bool is_time_left() const;
    int batch_size() const;
    bool begin_batch();
    std::vector<Tried> semifinal();
    const Tried* find(const Configuration& configuration) const;
    double best_ratio() const;
    void report(const std::string& stage, std::span<const Tried> news = {}) const;

    const CaseJob& job_;
    const CaseSpace& space_;
    Tuning tuning_;
    int builds_at_once_, being_built_ = 0;
    std::unique_ptr<Searcher> searcher_;
    Progress progress_;
    Trials trials_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double earlier_seconds_ = 0;  ///< of sessions before
};

}  // namespace kernelgen

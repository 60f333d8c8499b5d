// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/bench/bench.h"
#include "core/bench/idle_watch.h"
#include "core/bench/worker_clock.h"

namespace kernelgen {

/// Why a timing ended early, and because of which side, or -1 where that is not known.
struct TimingFailure {
    Status status = Status::ok;
    std::string reason;
    int side = -1;

    bool ok() const { return status == Status::ok; }
};

/// One side of a timing, built and planned.
struct Side {
    const Implementation* implementation = nullptr;
    Artifact artifact;
    Call call;
    int blocks_per_multiprocessor = 0;  ///< of a GPU, where the build tells
};

/// The baseline (side 0) and the candidates, loaded in one executor to be timed in turns.
class Rotation {
public:
    /// All arguments must outlive it.
    Rotation(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop)
        : request_(request), backend_(backend), progress_(progress), stop_(std::move(stop)) {}

    /// Builds all sides.
    TimingFailure build();
    /// Loads what was built, under the device's lock, lest a kernel takes it; the arena gets `more` bytes behind the
    /// layout.
    TimingFailure start(std::size_t more);
    /// Makes `sets` sets of buffers, whose inputs are the arena's.
    TimingFailure prepare(int sets);
    TimingFailure refill(std::span<const Patch> patches);
    /// As Executor::sample. The times that are told must agree with this process's clock (worker_clock.h).
    TimingFailure sample(const SampleRequest& request, Samples& samples);
    /// The same where nobody is called: what kernels have started must not run meanwhile, nor have changed the
    /// priority of the executor's own threads.
    TimingFailure sample_idle(const SampleRequest& request, Samples& samples);
    bool has_seen_idle() const { return idle_.has_seen_enough(); }
    /// Whether what kernels have started rested in all batches in which nobody was called.
    TimingFailure check_idle() const;

    const std::vector<Side>& sides() const { return sides_; }
    const Layout& layout() const { return layout_; }
    int sets() const { return sets_; }
    bool has_python() const;
    bool has_library() const;
    std::byte* arena() { return executor_->arena().data(); }
    Executor& executor() { return *executor_; }
    void end_executor() {
        if (executor_) executor_->end();
    }
    WorkerClock& clock() { return clock_; }

private:
    TimingFailure add(const Implementation& implementation);
    TimingFailure failed(const Outcome& outcome, int side = -1) const;

    const BenchRequest& request_;
    Backend& backend_;
    const Progress& progress_;
    std::stop_token stop_;
    std::vector<Side> sides_;
    Layout layout_;
    std::shared_ptr<Executor> executor_;
    int sets_ = 0;
    WorkerClock clock_;
    IdleWatch idle_;
};

}  // namespace kernelgen

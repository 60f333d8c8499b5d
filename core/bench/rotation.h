// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "core/base/said.h"
#include "core/bench/bench.h"
#include "core/bench/blocks.h"
#include "core/bench/idle_watch.h"
#include "core/bench/timing_failure.h"
#include "core/bench/worker_clock.h"

namespace kernelgen {

/// One side of a timing, built and planned.
struct Side {
    const Implementation* implementation = nullptr;
    Artifact artifact;
    Call call;
    int blocks_per_multiprocessor = 0;  ///< of a GPU, where the build reports it
};

/// The baseline (side 0) and the candidates, loaded in one executor to be timed in turns. In family `callable` each
/// side has an executor of its own: what one does to its process cannot reach another. Then the sides take turns in
/// blocks of samples; while one is called, the others are watched as in an idle batch.
class Rotation {
public:
    /// All arguments must outlive it.
    Rotation(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop)
        : request_(request), backend_(backend), progress_(progress), stop_(std::move(stop)) {}

    /// Builds all sides.
    TimingFailure build();
    /// Takes the built baseline of another rotation, in place of `build`.
    void take_baseline(const Rotation& other) { sides_.push_back(other.sides_.front()); }
    /// Loads the built sides. The arena gets `more` bytes after the layout.
    TimingFailure start(std::size_t more);
    /// Calls every side once, which may compile it. To be followed by `prepare`.
    TimingFailure call_first(std::mt19937_64& random);
    /// Makes `sets` sets of buffers with the inputs of the arena.
    TimingFailure prepare(int sets);
    /// As above, with as many sets as a sample needs: a short call is made several times within a sample, each time on
    /// a set of buffers of its own, so that all are as cold, and what each call leaves can be checked. Where caches are
    /// to be warm, all sets fit into them. Calls all sides: a single set may have other inputs than the arena then.
    TimingFailure prepare(std::mt19937_64& random);
    /// Turns in which every side is called once, in an order that is drawn for each.
    SampleRequest draw_turns(int count, std::mt19937_64& random) const;
    TimingFailure refill(std::span<const Patch> patches);
    /// Changes a request before it is made again.
    using Redraw = std::function<TimingFailure()>;
    /// As Executor::sample. Where the reported times do not agree with the clock of this process (worker_clock.h), the
    /// request is made again, up to five times. A kernel can cause this: `redraw` gives each further request other
    /// inputs, so that nothing can be kept of those before. Fails where none agrees.
    TimingFailure sample(const SampleRequest& request, Samples& samples, const Redraw& redraw = {});
    /// Samples an idle batch, in which no kernel is called. Watches whether threads that kernels have started run
    /// meanwhile, and whether the priority of the executor's own threads was changed.
    TimingFailure sample_idle(const SampleRequest& request, Samples& samples);
    /// Does `work` in another process, and watches the threads in the executor meanwhile as in an idle batch.
    TimingFailure while_idle(const std::function<TimingFailure()>& work);
    bool has_seen_idle() const;
    /// Fails where threads that kernels have started ran in the idle batches, or where the baseline, in a process of
    /// its own, is held back from outside.
    TimingFailure check_idle() const;

    const std::vector<Side>& sides() const { return sides_; }
    const Layout& layout() const { return layout_; }
    int sets() const { return sets_; }
    bool has_python() const;
    bool has_library() const;
    bool is_apart() const { return has_file(request_.definition.family); }
    /// The arena with the inputs; after a sample with `capture`, also with the outputs.
    std::byte* arena() { return executors_.front()->arena().data(); }
    Executor& executor_of(int side) { return *executors_[is_apart() ? static_cast<std::size_t>(side) : 0]; }
    int slot_of(int side) const { return is_apart() ? 0 : side; }
    void end_executor() {
        for (const auto& each : executors_) each->end();
    }
    WorkerClock& clock() { return clock_; }
    const WorkerClock& clock() const { return clock_; }

private:
    TimingFailure add(const Implementation& implementation);
    TimingFailure start_for(const std::vector<const Implementation*>& sides, std::size_t bytes);
    TimingFailure prepare_all(int sets);
    TimingFailure sample_once(const SampleRequest& request, Samples& samples, bool& agrees);
    TimingFailure exchange(std::size_t executor, const SampleRequest& request, Samples& samples, bool& agrees);
    TimingFailure sample_apart(const SampleRequest& request, Samples& samples, bool& agrees);
    TimingFailure sample_block(const Block& block, Samples& samples, bool& agrees);
    void take_outputs(int side);
    std::size_t turns_of_block() const;
    TimingFailure while_resting(const std::vector<std::size_t>& executors, const std::function<TimingFailure()>& work);
    std::vector<std::size_t> all_executors() const;
    TimingFailure check_baseline_free() const;
    TimingFailure failed(const Outcome& outcome, int side = -1) const;

    const BenchRequest& request_;
    Backend& backend_;
    const Progress& progress_;
    std::stop_token stop_;
    std::vector<Side> sides_;
    Layout layout_;
    std::vector<std::shared_ptr<Executor>> executors_;  ///< one for all sides, or one for each
    int sets_ = 0;
    WorkerClock clock_;
    std::vector<IdleWatch> idle_;  ///< of each executor
    double sample_seconds_ = 0;    ///< where sides are apart: of one sample with its surroundings, the last known
};

}  // namespace kernelgen

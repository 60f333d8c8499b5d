// SPDX-License-Identifier: Apache-2.0
#include "core/bench/rotation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <format>
#include <limits>
#include <numeric>
#include <thread>

#include "core/base/process.h"
#include "core/base/sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/bench/blocks.h"
#include "core/measure/metrics.h"
#include "core/project/by_case.h"

namespace kernelgen {
namespace {

using namespace std::chrono_literals;

constexpr int most_sets = 64;
constexpr double most_rotated_bytes = 1e9;

void copy_inputs(const Layout& layout, const std::byte* from, std::byte* to) {
    for (const Region& input : layout.inputs) std::memcpy(to + input.offset, from + input.offset, input.bytes);
}

template <class T>
void extend(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

TimingFailure Rotation::failed(const Outcome& outcome, int side) const {
    if (outcome.ok()) return {};
    return {outcome.status, say(sentences::while_timing, outcome.reason), side};
}

TimingFailure Rotation::add(const Implementation& implementation) {
    const int side = static_cast<int>(sides_.size());
    const BuildResult built = backend_.build({request_.definition,
                                              for_case(implementation, request_.binding),
                                              request_.binding.dtype,
                                              request_.device,
                                              {},
                                              request_.binding.sizes,
                                              request_.timeout_seconds},
                                             progress_, stop_);
    if (built.status != Status::ok)
        return {built.status, say("{}: {}", implementation.variant.name, built.reason), side};
    Result<Call> call = make_call(request_.definition, implementation, request_.binding);
    if (!call) return {Status::launch_failed, call.error().message, side};
    const auto blocks = built.resources.find(metrics::blocks_per_multiprocessor.name);
    sides_.push_back({&implementation, built.artifact, std::move(*call),
                      blocks == built.resources.end() ? 0 : static_cast<int>(blocks->second)});
    return {};
}

TimingFailure Rotation::build() {
    if (const TimingFailure added = add(request_.baseline); !added.ok()) return added;
    for (const Implementation& candidate : request_.candidates) {
        if (const TimingFailure added = add(candidate); !added.ok()) return added;
    }
    return {};
}

TimingFailure Rotation::start_for(const std::vector<const Implementation*>& sides, std::size_t bytes) {
    Result<std::shared_ptr<Executor>> executor = backend_.start_executor(request_.device, use_for(sides), stop_);
    if (!executor)
        return {stop_.stop_requested() ? Status::cancelled : Status::unavailable, executor.error().message, -1};
    executors_.push_back(std::move(*executor));
    executors_.back()->set_limit(request_.timeout_seconds, stop_);
    if (const auto grown = executors_.back()->arena().grow(bytes); !grown)
        return {Status::over_limit, grown.error().message, -1};
    return {};
}

TimingFailure Rotation::start(std::size_t more) {
    std::vector<std::vector<const Implementation*>> processes(is_apart() ? sides_.size() : 1);
    for (std::size_t side = 0; side < sides_.size(); ++side) {
        processes[is_apart() ? side : 0].push_back(sides_[side].implementation);
    }
    layout_ = lay_out(sides_[0].call);
    for (const auto& sides : processes) {
        if (const TimingFailure started = start_for(sides, layout_.total + more); !started.ok()) return started;
    }
    idle_.resize(executors_.size());
    for (int side = 0; side < static_cast<int>(sides_.size()); ++side) {
        const Side& loaded = sides_[static_cast<std::size_t>(side)];
        const Outcome done = executor_of(side).load(slot_of(side), loaded.artifact, loaded.call);
        if (!done.ok()) return failed(done, side);
    }
    return {};
}

bool Rotation::has_library() const {
    return std::ranges::any_of(
        sides_, [](const Side& side) { return side.implementation->variant.language == Language::library; });
}

bool Rotation::has_python() const {
    return std::ranges::any_of(sides_,
                               [](const Side& side) { return runs_in_python(side.implementation->variant.language); });
}

TimingFailure Rotation::prepare_all(int sets) {
    std::vector<Call> calls;
    for (const Side& side : sides_) calls.push_back(side.call);
    if (!is_apart()) return failed(executors_.front()->prepare(calls, layout_, sets));
    for (std::size_t side = 0; side < calls.size(); ++side) {
        if (side > 0) copy_inputs(layout_, arena(), executors_[side]->arena().data());
        const Outcome prepared = executors_[side]->prepare(std::span(&calls[side], 1), layout_, sets);
        if (!prepared.ok()) return failed(prepared, static_cast<int>(side));
    }
    return {};
}

TimingFailure Rotation::prepare(int sets) {
    sets_ = sets;
    if (const TimingFailure prepared = prepare_all(sets); !prepared.ok()) return prepared;
    constexpr int empty_batches = 5;
    for (int i = 0; i < empty_batches; ++i) {
        Samples none;
        if (const TimingFailure empty = sample({}, none); !empty.ok()) return empty;
    }
    return {};
}

TimingFailure Rotation::call_first(std::mt19937_64& random) {
    if (const TimingFailure prepared = prepare(1); !prepared.ok()) return prepared;
    Samples samples;
    const TimingFailure called = sample(draw_turns(1, random), samples);
    clock_ = WorkerClock();  // others used the processors meanwhile
    return called;
}

SampleRequest Rotation::draw_turns(int count, std::mt19937_64& random) const {
    SampleRequest request;
    std::vector<int> sides;
    for (int side = 0; side < static_cast<int>(sides_.size()); ++side) sides.push_back(side);
    for (int i = 0; i < count; ++i) {
        std::ranges::shuffle(sides, random);
        request.turns.push_back(sides);
    }
    return request;
}

TimingFailure Rotation::prepare(std::mt19937_64& random) {
    if (const TimingFailure prepared = prepare(1); !prepared.ok()) return prepared;
    const SampleLength length = backend_.sample_length(request_.device);
    const double most_bytes = request_.performance.warm_caches ? length.cached_bytes : most_rotated_bytes;
    const double room = most_bytes / static_cast<double>(layout_.total);
    if (room < 2) return {};
    double call = std::numeric_limits<double>::infinity();
    constexpr int turns = 4;
    constexpr double slow = 1;  // seconds of a call that need not be made again
    for (int i = 0; i < turns && (i == 0 || call < slow); ++i) {
        SampleRequest request = draw_turns(1, random);
        request.flush = !request_.performance.warm_caches;
        Samples samples;
        if (const TimingFailure sampled = sample(request, samples); !sampled.ok()) return sampled;
        for (const std::vector<double>& side : samples.seconds) call = std::min(call, side.front());
    }
    const double wished = call < length.shortest_call ? std::ceil(length.sample / std::max(call, 1e-9)) : 1;
    const int sets = static_cast<int>(std::clamp(wished, 1.0, std::min<double>(most_sets, room)));
    return sets == 1 ? TimingFailure{} : prepare(sets);
}

TimingFailure Rotation::refill(std::span<const Patch> patches) {
    for (const auto& executor : executors_) {
        if (executor != executors_.front()) {
            std::byte* const other = executor->arena().data();
            copy_inputs(layout_, arena(), other);
            for (const Patch& each : patches)
                std::memcpy(other + each.contents, arena() + each.contents, 2 * each.bytes);
        }
        if (const Outcome filled = executor->refill(patches); !filled.ok()) return failed(filled);
    }
    return {};
}

TimingFailure Rotation::sample(const SampleRequest& request, Samples& samples, const Redraw& redraw) {
    // A batch that does not agree counts for nothing. A shared machine may be disturbed for seconds: each try waits
    // longer.
    constexpr std::array<std::chrono::milliseconds, 6> pauses = {0ms, 0ms, 10ms, 50ms, 250ms, 1000ms};
    for (std::size_t i = 0; i < pauses.size(); ++i) {
        std::this_thread::sleep_for(pauses[i]);
        if (i > 0 && redraw) {
            if (const TimingFailure drawn = redraw(); !drawn.ok()) return drawn;
        }
        bool agrees = true;
        if (const TimingFailure sampled = sample_once(request, samples, agrees); !sampled.ok()) return sampled;
        if (agrees) return {};
    }
    return {Status::implausible, sentences::clocks_differ, -1, true};
}

TimingFailure Rotation::sample_once(const SampleRequest& request, Samples& samples, bool& agrees) {
    if (!is_apart()) return exchange(0, request, samples, agrees);
    if (!request.turns.empty()) return sample_apart(request, samples, agrees);
    for (const std::size_t each : all_executors()) {
        if (const TimingFailure empty = exchange(each, request, samples, agrees); !empty.ok()) return empty;
    }
    return {};
}

/// `agrees` becomes false where the times are not those of this process's clock.
TimingFailure Rotation::exchange(std::size_t number, const SampleRequest& request, Samples& samples, bool& agrees) {
    Executor& executor = *executors_[number];
    const double waited = executor.waited_seconds() + waited_for_processor("thread-self");
    if (const Outcome sampled = executor.sample(request, samples); !sampled.ok())
        return failed(sampled, is_apart() ? static_cast<int>(number) : -1);
    WorkerClock::Batch batch;
    batch.seconds = executor.exchange_seconds();
    batch.waited = executor.waited_seconds() + waited_for_processor("thread-self") - waited;
    agrees = clock_.agrees(request, samples, sets_, batch) && agrees;
    return {};
}

std::vector<std::size_t> Rotation::all_executors() const {
    std::vector<std::size_t> all(executors_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

/// The turns of a block: as many as last for a while, so that the sides are swapped rarely enough to be as warm as if
/// they were alone.
std::size_t Rotation::turns_of_block() const {
    constexpr double seconds = 0.04, most = 64;
    return static_cast<std::size_t>(std::clamp(seconds / std::max(sample_seconds_, 1e-6), 1.0, most));
}

/// Samples in blocks of turns. In a block the sides follow each other in the order of its first turn.
TimingFailure Rotation::sample_apart(const SampleRequest& request, Samples& samples, bool& agrees) {
    samples = {};
    samples.seconds.resize(sides_.size());
    samples.checksums.resize(sides_.size());
    const std::size_t block = turns_of_block();
    for (std::size_t first = 0; first < request.turns.size(); first += block) {
        const std::size_t end = std::min(first + block, request.turns.size());
        for (const int side : sides_in(request, first, end)) {
            const TimingFailure sampled = sample_block({request, first, end, side}, samples, agrees);
            if (!sampled.ok()) return sampled;
        }
    }
    return {};
}

/// Samples one side's turns of a block, with the idle turns in between. The other executors rest meanwhile.
TimingFailure Rotation::sample_block(const Block& block, Samples& samples, bool& agrees) {
    const auto executor = static_cast<std::size_t>(std::max(block.side, 0));
    const SampleRequest own = part_of(block, sets_);
    std::vector<std::size_t> others = all_executors();
    std::erase(others, executor);
    Samples found;
    const auto work = [&] { return exchange(executor, own, found, agrees); };
    if (const TimingFailure sampled = while_resting(others, work); !sampled.ok()) return sampled;
    if (own.capture) take_outputs(block.side);
    samples.outside_seconds += found.outside_seconds;
    samples.idle_seconds += found.idle_seconds;
    samples.grown_bytes += found.grown_bytes;
    if (block.side < 0 || found.seconds.empty()) return {};
    extend(samples.seconds[executor], found.seconds.front());
    extend(samples.checksums[executor], found.checksums.front());
    const double all = found.outside_seconds + std::reduce(found.seconds[0].begin(), found.seconds[0].end()) * sets_;
    sample_seconds_ = all / static_cast<double>(std::max<std::size_t>(1, own.turns.size()));
    return {};
}

/// Copies the outputs that a side's executor has captured to `arena`.
void Rotation::take_outputs(int side) {
    const std::byte* const from = executor_of(side).arena().data();
    if (from == arena()) return;
    for (const Region& output : layout_.outputs) {
        std::memcpy(arena() + output.offset, from + output.offset, output.bytes);
    }
}

TimingFailure Rotation::while_resting(const std::vector<std::size_t>& executors,
                                      const std::function<TimingFailure()>& work) {
    for (const std::size_t each : executors) idle_[each].begin(executors_[each]->foreign_threads());
    if (const TimingFailure done = work(); !done.ok()) return done;
    for (const std::size_t each : executors) idle_[each].end(executors_[each]->foreign_threads());
    return {};
}

TimingFailure Rotation::while_idle(const std::function<TimingFailure()>& work) {
    return while_resting(all_executors(), work);
}

TimingFailure Rotation::sample_idle(const SampleRequest& request, Samples& samples) {
    const bool is_watched = is_apart();  // those that are not asked are watched in any case
    const auto work = [&] { return sample(request, samples); };
    const TimingFailure sampled = is_watched ? while_resting({0}, work) : while_idle(work);
    if (!sampled.ok()) return sampled;
    if (is_apart()) return check_baseline_free();
    const bool is_changed = executors_.front()->foreign_threads().own_changed();
    if (has_python() || !is_changed) return {};  // Python's libraries may set their own
    return {Status::implausible, sentences::threads_changed, -1};
}

bool Rotation::has_seen_idle() const { return std::ranges::all_of(idle_, &IdleWatch::has_seen_enough); }

TimingFailure Rotation::check_idle() const {
    for (std::size_t i = 0; i < idle_.size(); ++i) {
        if (idle_[i].is_quiet()) continue;
        const int side = is_apart() ? static_cast<int>(i) : -1;
        return {Status::implausible, say(sentences::runs_when_idle, 100 * idle_[i].share()), side};
    }
    return is_apart() ? check_baseline_free() : TimingFailure{};
}

/// A candidate in another process may change how the baseline's process is scheduled, where the system has no PID
/// namespaces. No code of the baseline does that.
TimingFailure Rotation::check_baseline_free() const {
    if (!executors_.front()->foreign_threads().is_held_back()) return {};
    return {Status::implausible, sentences::baseline_held_back, -1};
}

}  // namespace kernelgen

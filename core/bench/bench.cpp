// SPDX-License-Identifier: Apache-2.0
#include "core/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <format>
#include <new>
#include <random>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/lang/body.h"
#include "core/measure/device_lock.h"
#include "core/verify/buffers.h"
#include "core/verify/yardstick.h"

namespace kernelgen {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int least_pairs = 20;
constexpr double narrow_interval = 0.01;  ///< half-width of the speedup's interval, relative to it
constexpr int most_repeats = 64;
constexpr double most_rotated_bytes = 1e9;
constexpr double first_look_seconds = 1;  ///< sampling before the interval is looked at for the first time
constexpr double look_growth = 1.4;       ///< of the sampling time from one look to the next
constexpr double batch_seconds = 0.25;
constexpr int random_checks[] = {0, 1};  ///< judged timed calls of candidate and baseline, at random batches
constexpr double noisy_rsd = 0.05;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// One side of the comparison, built and planned.
struct Side {
    const Implementation* implementation = nullptr;
    Artifact artifact;
    Call call;
    int blocks_per_multiprocessor = 0;  ///< of a GPU, where the build tells
};

class Bench {
public:
    Bench(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop)
        : request_(request), backend_(backend), progress_(progress), stop_(std::move(stop)) {}

    BenchResult run();

private:
    bool fail(Status status, std::string reason);
    bool fail(const Outcome& outcome);
    bool build(Side& side, const Implementation& implementation);
    bool choose_yardstick();
    bool start();
    bool choose_repeats();
    bool warm_up();
    bool sample_all();
    bool sample_batch(int pairs, int capture, Samples& samples);
    bool check_timed_call(int side);
    bool enough(double elapsed);
    void plan_checks();
    void finish();

    const BenchRequest& request_;
    Backend& backend_;
    const Progress& progress_;
    std::stop_token stop_;
    BenchResult result_;
    std::optional<Body> body_;
    std::unique_ptr<Yardstick> yardstick_;
    Side sides_[2];
    Layout layout_;
    std::shared_ptr<Executor> executor_;
    std::mt19937_64 random_{std::random_device{}()};
    double pair_seconds_ = 0;  ///< with poisoning and flushing
    std::int64_t grown_bytes_ = 0;
    int discarded_pairs_ = 0;
    std::vector<int> checks_;  ///< sides still to be checked, at `next_check_`
    double next_check_ = 0;    ///< seconds of sampling
    double next_look_ = first_look_seconds;
};

bool Bench::fail(Status status, std::string reason) {
    result_.status = status;
    result_.reason = std::move(reason);
    return false;
}

bool Bench::fail(const Outcome& outcome) {
    if (outcome.ok()) return true;
    return fail(outcome.status, std::format(sentences::while_timing, outcome.reason));
}

bool Bench::build(Side& side, const Implementation& implementation) {
    const BuildResult built = backend_.build(
        {request_.definition, implementation, request_.binding.dtype, request_.device, {}, request_.binding.sizes,
         request_.timeout_seconds},
        progress_, stop_);
    if (built.status != Status::ok) return fail(built.status, implementation.variant.name + ": " + built.reason);
    Result<Call> call = make_call(request_.definition, implementation, request_.binding);
    if (!call) return fail(Status::launch_failed, call.error().message);
    const auto blocks = built.resources.find("blocks_per_multiprocessor");
    side = {&implementation, built.artifact, std::move(*call),
            blocks == built.resources.end() ? 0 : static_cast<int>(blocks->second)};
    return true;
}

/// What timed calls are judged by, as in verification.
bool Bench::choose_yardstick() {
    const Operator& definition = request_.definition;
    if (definition.family == "custom") {
        if (!request_.reference) return fail(Status::unavailable, "family `custom` needs `reference`, which judges");
        yardstick_ = variant_yardstick(
            definition, *request_.reference, request_.accuracy,
            {backend_, definition, *request_.reference, request_.device, request_.timeout_seconds, progress_, stop_});
        return fail(yardstick_->prepare({request_.binding}));
    }
    Checked<Body> body = analyse(definition);
    if (!body) return fail(Status::build_failed, to_string(body.error()));
    body_ = std::move(*body);
    yardstick_ = body_yardstick(definition, *body_, request_.accuracy);
    return true;
}

bool Bench::start() {
    if (!choose_yardstick()) return false;
    if (!build(sides_[0], request_.candidate) || !build(sides_[1], request_.baseline)) return false;
    const ExecutorKind kind = executor_for({request_.candidate.variant.language, request_.baseline.variant.language});
    Result<std::shared_ptr<Executor>> executor = backend_.start_executor(request_.device, kind, stop_);
    if (!executor)
        return fail(stop_.stop_requested() ? Status::cancelled : Status::unavailable, executor.error().message);
    executor_ = std::move(*executor);
    executor_->set_limit(request_.timeout_seconds, stop_);
    layout_ = lay_out(sides_[0].call);
    if (const auto grown = executor_->arena().grow(layout_.total); !grown)
        return fail(Status::over_limit, grown.error().message);
    fill_inputs(sides_[0].call, layout_, executor_->arena().data(), InputSet::normal, random_());
    for (const int slot : {0, 1}) {
        if (!fail(executor_->load(slot, sides_[slot].artifact, sides_[slot].call))) return false;
    }
    return true;
}

/// Short kernels are called several times within a sample, each time on buffers that are as cold.
bool Bench::choose_repeats() {
    if (!fail(executor_->prepare(sides_[0].call, sides_[1].call, layout_, 1))) return false;
    Samples samples;
    if (!sample_batch(4, -1, samples)) return false;
    const double call = std::min(std::ranges::min(samples.candidate), std::ranges::min(samples.baseline));
    const double room = std::max(1.0, most_rotated_bytes / static_cast<double>(layout_.total));
    const SampleLength length = backend_.sample_length();
    const double wished = call < length.shortest_call ? std::ceil(length.sample / std::max(call, 1e-9)) : 1;
    result_.repeats = static_cast<int>(std::clamp(wished, 1.0, std::min<double>(most_repeats, room)));
    if (result_.repeats == 1) return true;
    const int rotations = request_.performance.warm_caches ? 1 : result_.repeats;
    return fail(executor_->prepare(sides_[0].call, sides_[1].call, layout_, rotations));
}

bool Bench::warm_up() {
    constexpr double least_seconds = 0.2;
    const Clock::time_point start = Clock::now();
    int pairs = 0;
    do {
        Samples samples;
        const Clock::time_point batch = Clock::now();
        if (!sample_batch(1, -1, samples)) return false;
        pair_seconds_ = seconds_since(batch);
        ++pairs;
    } while (pairs < 3 || (seconds_since(start) < least_seconds && pairs < 100));
    return true;
}

bool Bench::sample_batch(int pairs, int capture, Samples& samples) {
    SampleRequest request;
    for (int i = 0; i < pairs; ++i) request.candidate_first.push_back((random_() & 1) != 0);
    request.repeats = result_.repeats;
    request.flush = !request_.performance.warm_caches;
    request.poison = static_cast<std::uint8_t>(random_() | 1);
    request.capture = capture;
    return fail(executor_->sample(request, samples));
}

/// In which order the sides' outputs are judged is drawn before; one more of the candidate's is judged at the very end.
void Bench::plan_checks() {
    checks_.assign(std::begin(random_checks), std::end(random_checks));
    std::ranges::shuffle(checks_, random_);
    next_check_ = 0;
}

/// Replaces the inputs in place and judges what a timed call makes of them.
bool Bench::check_timed_call(int side) {
    const std::uint64_t seed = random_() >> 16;
    std::byte* arena = executor_->arena().data();
    fill_inputs(sides_[0].call, layout_, arena, InputSet::normal, seed);
    if (!fail(executor_->refill())) return false;
    Samples samples;
    if (!sample_batch(1 + static_cast<int>(random_() % 3), side, samples)) return false;
    ++result_.checked_calls;
    const CaseAccuracy judged =
        yardstick_->judge({request_.binding, InputSet::normal, seed}, sides_[0].call, layout_, arena, stop_);
    if (judged.status == Status::ok) return true;
    return fail(judged.status,
                std::format(sentences::wrong_when_timed, sides_[side].implementation->variant.name, judged.reason));
}

/// Whether sampling can end; sets what ended it.
bool Bench::enough(double elapsed) {
    const bool spent = elapsed >= request_.performance.budget_seconds;
    if (result_.candidate_seconds.size() < least_pairs || (elapsed < next_look_ && !spent)) return false;
    // Looked at rarely: stopping at the first of many looks would favour intervals that are narrow by chance.
    next_look_ *= look_growth;
    const Speedup speedup = speedup_of(result_.candidate_seconds, result_.baseline_seconds);
    if ((speedup.upper - speedup.lower) / 2 < narrow_interval * speedup.median) result_.ended_by = "interval";
    else if (spent) result_.ended_by = "budget";
    return !result_.ended_by.empty();
}

bool Bench::sample_all() {
    plan_checks();
    double elapsed = 0;  // of sampling alone; judging is not counted
    while (!enough(elapsed)) {
        if (stop_.stop_requested()) return fail(Status::cancelled, "cancelled");
        progress_("bench", static_cast<int>(std::min(99.0, 100 * elapsed / request_.performance.budget_seconds)), 100);
        if (!checks_.empty() && elapsed >= next_check_) {
            if (!check_timed_call(checks_.back())) return false;
            checks_.pop_back();
            next_check_ = elapsed + std::uniform_real_distribution(0.0, 0.4)(random_);
        }
        const double left = std::max(least_pairs - static_cast<double>(result_.candidate_seconds.size()), 1.0);
        const int pairs =
            static_cast<int>(std::clamp(batch_seconds / std::max(pair_seconds_, 1e-6), 1.0, std::max(left, 500.0)));
        const Clock::time_point start = Clock::now();
        Samples samples;
        if (!sample_batch(pairs, -1, samples)) return false;
        elapsed += seconds_since(start);
        grown_bytes_ += samples.grown_bytes;
        discarded_pairs_ += samples.discarded;
        for (const auto& [name, value] : samples.conditions) {
            if (name == "energy_j") result_.conditions[name] += value;
            else result_.conditions[name] = value;
        }
        result_.candidate_seconds.insert(result_.candidate_seconds.end(), samples.candidate.begin(),
                                         samples.candidate.end());
        result_.baseline_seconds.insert(result_.baseline_seconds.end(), samples.baseline.begin(),
                                        samples.baseline.end());
    }
    checks_.push_back(0);
    return std::ranges::all_of(checks_, [&](int side) { return check_timed_call(side); });
}

/// Share of the threads' time (of a GPU: of the blocks that run at once) that is lost when the programs of each launch
/// do not divide evenly among them.
double tail_waste(const LaunchPlan& plan, int threads) {
    double used = 0, held = 0;
    for (const PlannedLaunch& launch : plan.launches) {
        const double programs = static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
                                static_cast<double>(launch.grid[2]);
        const int count = launch.threads > 0 ? std::min(launch.threads, threads) : threads;
        used += programs;
        held += std::ceil(programs / count) * threads;
    }
    return held > 0 ? 1 - used / held : 0;
}

void Bench::finish() {
    result_.candidate = summarise(result_.candidate_seconds);
    result_.baseline_summary = summarise(result_.baseline_seconds);
    result_.speedup = speedup_of(result_.candidate_seconds, result_.baseline_seconds);
    for (const DeviceInfo& device : backend_.devices()) {
        if (device.name != request_.device) continue;
        const Environment& environment = device.environment;
        const int at_once = environment.multiprocessors * sides_[0].blocks_per_multiprocessor;
        result_.tail_waste = tail_waste(sides_[0].call.plan, at_once > 0 ? at_once : environment.threads);
    }
    const auto warn_of_spread = [&](const std::string& name, const Summary& summary) {
        if (summary.relative_standard_deviation <= noisy_rsd) return;
        result_.warnings.push_back(std::format(sentences::spread, name, 100 * summary.relative_standard_deviation,
                                               summary.samples, summary.outliers));
    };
    warn_of_spread(request_.candidate.variant.name, result_.candidate);
    warn_of_spread(request_.baseline.variant.name + " (baseline)", result_.baseline_summary);
    if (discarded_pairs_ > 0) result_.warnings.push_back(std::format(sentences::clock_fell, discarded_pairs_));
    constexpr std::int64_t noticeable_growth = 16 << 20;
    if (grown_bytes_ > noticeable_growth) {
        result_.warnings.push_back(std::format(sentences::grown_memory,
                                               with_si_prefix(static_cast<double>(grown_bytes_), "B"),
                                               2 * result_.speedup.pairs * result_.repeats));
    }
}

BenchResult Bench::run() {
    result_.binding = request_.binding;
    result_.baseline = request_.baseline.variant.name;
    if (!start()) return result_;
    const Result<FileLock> lock = lock_device(request_.device, FileLock::Mode::exclusive, stop_,
                                              [&] { progress_(std::format("{} bench", waiting_for_lock), 0, 0); });
    if (!lock) {
        fail(stop_.stop_requested() ? Status::cancelled : Status::unavailable, lock.error().message);
        return result_;
    }
    if (!choose_repeats() || !warm_up() || !sample_all()) return result_;
    if (request_.counters)
        result_.counters = backend_.count(*executor_, request_.device, sides_[0].artifact, sides_[0].call, stop_);
    else result_.counters.reason = std::string(sentences::counters_declined);
    finish();
    progress_("bench", 100, 100);
    return result_;
}

}  // namespace

BenchResult bench(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop) {
    BenchResult broken_off;
    broken_off.binding = request.binding;
    broken_off.baseline = request.baseline.variant.name;
    try {
        return Bench(request, backend, progress, std::move(stop)).run();
    } catch (const std::bad_alloc&) {
        broken_off.status = Status::over_limit;
        broken_off.reason = "no memory is left to judge the timed calls with";
    } catch (const std::exception& error) {
        broken_off.status = Status::unavailable;
        broken_off.reason = std::string("the timing broke off: ") + error.what();
    }
    return broken_off;
}

}  // namespace kernelgen

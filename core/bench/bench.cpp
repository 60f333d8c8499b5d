// SPDX-License-Identifier: Apache-2.0
#include "core/bench/bench.h"

#include <algorithm>
#include <new>
#include <random>
#include <span>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/base/verdict_sentences.h"
#include "core/bench/baseline_alone.h"
#include "core/bench/described_sides.h"
#include "core/bench/mixed_check.h"
#include "core/bench/novelty_check.h"
#include "core/bench/output_watch.h"
#include "core/bench/rotation.h"
#include "core/bench/sampling.h"
#include "core/bench/tail_waste.h"
#include "core/bench/timing_locks.h"
#include "core/verify/yardstick.h"

namespace kernelgen {
namespace {

constexpr double narrow_interval = 0.01;  ///< half-width of the speedup's interval, relative to it
constexpr double first_look_seconds = 1;  ///< sampling before the interval is looked at for the first time
constexpr double look_growth = 1.4;       ///< of the sampling time from one look to the next
constexpr int first_idle_batches = 6;     ///< after each of the first batches comes one of idle turns,
constexpr int batches_an_idle_one = 4;    ///< and then after so many
constexpr int few_alone = 6;              ///< samples of the baseline alone that can tell
constexpr double noisy_rsd = 0.05;

class Bench {
public:
    Bench(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop)
        : request_(request),
          backend_(backend),
          progress_(progress),
          stop_(std::move(stop)),
          rotation_(request, backend, progress_, stop_) {}

    /// Fills `results`, one a candidate, or says why not.
    TimingFailure run(std::vector<BenchResult>& results);
    /// Ends the executor after a failure: a failed kernel may have left a thread behind, and no other kernel may be
    /// timed beside it.
    void end_executor() { rotation_.end_executor(); }

private:
    /// All inputs are replaced after so many seconds of sampling.
    struct Renewal {
        double at = 0;
        OutputWatch::Second second = OutputWatch::Second::ordinary;
    };

    TimingFailure choose_yardstick();
    TimingFailure start();
    TimingFailure renew(OutputWatch::Second second);
    std::vector<Renewal> draw_renewals();
    TimingFailure sample_all();
    TimingFailure check_memory();
    TimingFailure sample_mixed();
    bool could_slow_baseline() const;
    TimingFailure check_baseline();
    TimingFailure alternate(BaselineAlone& alone);
    TimingFailure check_idle();
    TimingFailure check_clock();
    bool enough();
    bool is_narrow() const;
    void keep_new(const NoveltyCheck::Times& seconds);
    void finish(std::vector<BenchResult>& results);
    BenchResult result_of(int side);
    Speedup speedup(int side) const;

    TimedSamples& samples() { return sampling_->samples(); }
    const TimedSamples& samples() const { return sampling_->samples(); }

    const BenchRequest& request_;
    Backend& backend_;
    const Progress& progress_;
    std::stop_token stop_;
    std::vector<FileLock> locks_;
    ReferenceCache references_;  ///< of the present inputs, for all sides
    std::unique_ptr<Yardstick> yardstick_;
    std::mt19937_64 random_{std::random_device{}()};
    Rotation rotation_;
    std::optional<OutputWatch> watch_;
    std::optional<Sampling> sampling_;
    std::string ended_by_;
    double next_look_ = first_look_seconds;
    bool counts_new_only_ = false;   ///< whether only calls count whose inputs no call had
    bool is_clock_unknown_ = false;  ///< whether the worker's clock could not tell that nothing is hidden
};

/// Makes the yardstick by which the outputs of timed calls are judged, as in verification.
TimingFailure Bench::choose_yardstick() {
    const YardstickRequest wanted{request_.definition, request_.accuracy,        request_.reference,
                                  request_.device,     request_.timeout_seconds, &references_};
    const Outcome made = make_yardstick(wanted, backend_, progress_, stop_, yardstick_);
    if (!made.ok()) return {made.status, made.reason};
    const Outcome prepared = yardstick_->prepare({request_.binding});
    return {prepared.status, prepared.reason};
}

TimingFailure Bench::renew(OutputWatch::Second second) {
    references_.clear();
    return watch_->renew(second);
}

/// The speedup with its interval. Where the worker's clock had to excuse time, because the executor waited for a
/// processor, the interval allows for that time to have been hidden by either side. Where the clock could not compare
/// the surroundings of samples, the interval allows for the time that these took longer than they must. Hidden in half
/// of the samples, such time changes a median most.
Speedup Bench::speedup(int side) const {
    const std::vector<double>&candidate = samples().of(side), &baseline = samples().of(Sampling::baseline);
    Speedup found = speedup_of(candidate, baseline);
    const double around = is_clock_unknown_ ? rotation_.clock().unexplained_seconds() : 0;  // of a sample of any side
    const double excused = rotation_.clock().excused_seconds() / static_cast<double>(samples().taken());
    const double each = excused + around * static_cast<double>(samples().sides());
    const double hidden = 2 * each / rotation_.sets();
    const double candidate_median = summarise(candidate).p50, baseline_median = summarise(baseline).p50;
    found.lower *= candidate_median / (candidate_median + hidden);
    found.upper *= (baseline_median + hidden) / baseline_median;
    return found;
}

/// Whether sampling can end; sets what ended it.
bool Bench::enough() {
    const bool spent = sampling_->elapsed() >= request_.performance.budget_seconds;
    if (samples().count() < least_pairs || (sampling_->elapsed() < next_look_ && !spent)) return false;
    // Looked at rarely: stopping at the first of many looks would favour intervals that are narrow by chance.
    next_look_ *= look_growth;
    if (is_narrow()) ended_by_ = "interval";
    else if (spent) ended_by_ = "budget";
    return !ended_by_.empty();
}

/// Whether the interval of every candidate is narrow enough.
bool Bench::is_narrow() const {
    for (int side = 1; side < samples().sides(); ++side) {
        const Speedup found = speedup(side);
        if ((found.upper - found.lower) / 2 >= narrow_interval * found.median) return false;
    }
    return true;
}

/// At moments that are drawn before, the inputs are replaced. From the last one on they have special values, where
/// these can be made. Where all inputs are one unit, its number of elements has to be changed first (choose_units).
std::vector<Bench::Renewal> Bench::draw_renewals() {
    const double budget = request_.performance.budget_seconds;
    const auto draw = [&](double before) { return std::uniform_real_distribution(0.0, before)(random_); };
    std::vector<Renewal> renewals(1);
    renewals[0].at = draw(std::min(0.6, budget));
    if (watch_->units() == 1) renewals.push_back({std::max(renewals[0].at, draw(budget))});
    renewals.back().second = OutputWatch::Second::special;
    return renewals;
}

TimingFailure Bench::sample_all() {
    const std::vector<Renewal> drawn = draw_renewals();
    std::span<const Renewal> renewals = drawn;  // those to come
    for (int batch = 1;; ++batch) {
        const bool can_end = enough() && sampling_->has_judged_enough();
        if (can_end && renewals.empty()) break;
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        progress_("bench",
                  static_cast<int>(std::min(99.0, 100 * sampling_->elapsed() / request_.performance.budget_seconds)),
                  100);
        if (!renewals.empty() && (can_end || sampling_->elapsed() >= renewals.front().at)) {
            if (const TimingFailure renewed = renew(renewals.front().second); !renewed.ok()) return renewed;
            renewals = renewals.subspan(1);
        }
        if (const TimingFailure sampled = sampling_->sample_batch(batch); !sampled.ok()) return sampled;
        const bool is_idle_due = batch <= first_idle_batches || batch % batches_an_idle_one == 1;
        if (!is_idle_due || !backend_.traits().is_host) continue;
        if (const TimingFailure idle = sampling_->sample_idle(); !idle.ok()) return idle;
    }
    if (const TimingFailure rested = check_idle(); !rested.ok()) return rested;
    if (const TimingFailure checked = check_clock(); !checked.ok()) return checked;
    if (const TimingFailure checked = check_baseline(); !checked.ok()) return checked;
    return check_memory();
}

/// Whether a candidate that claims a speedup, in the baseline's process, runs code of its own in the process: a CUDA
/// kernel does not.
bool Bench::could_slow_baseline() const {
    if (rotation_.is_apart()) return false;
    for (int side = 1; side < samples().sides(); ++side) {
        const Language language = rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.language;
        const bool runs_here = backend_.traits().is_host ? language != Language::library : runs_in_python(language);
        if (runs_here && speedup(side).lower > 1) return true;
    }
    return false;
}

/// A batch of the baseline alone, and then one of all sides.
TimingFailure Bench::alternate(BaselineAlone& alone) {
    constexpr double batch_seconds = 0.04;
    constexpr int most = 500;
    const double wished = batch_seconds / std::max(sampling_->turn_seconds(), 1e-6);
    const double fewest = alone.samples() == 0 ? few_alone : 2;
    const int turns = static_cast<int>(std::clamp<double>(wished, fewest, most));
    if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
    const TimingFailure sampled = alone.sample(rotation_.draw_turns(turns, random_), rotation_);
    if (!sampled.ok()) return sampled;
    const std::size_t before = samples().of(Sampling::baseline).size();
    while (samples().of(Sampling::baseline).size() == before) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure beside = sampling_->sample(); !beside.ok()) return beside;
    }
    alone.compare_with(std::span(samples().of(Sampling::baseline)).subspan(before));
    return {};
}

/// The baseline may not take longer beside the candidates than in a process of its own. Where it seems to, all is
/// sampled once more, in batches that alternate with those of the baseline alone, until their ratios tell: the machine
/// may have been slower for a while. If the ratios do not decide, the
/// result stands.
TimingFailure Bench::check_baseline() {
    if (!could_slow_baseline()) return {};
    BaselineAlone alone(request_, backend_, progress_, stop_);
    if (const TimingFailure started = alone.start(rotation_); !started.ok()) return started;
    constexpr int most_batches = 60;
    if (const TimingFailure sampled = alternate(alone); !sampled.ok()) return sampled;
    if (!alone.seems_slower(samples().of(Sampling::baseline))) return rotation_.check_idle();
    const std::size_t as_before = samples().of(Sampling::baseline).size();
    samples().clear();
    alone.forget();
    const auto is_known = [&] { return alone.is_slower() != Alternations::Longer::unknown; };
    for (int i = 0; samples().of(Sampling::baseline).size() < as_before || (i < most_batches && !is_known()); ++i) {
        if (const TimingFailure sampled = alternate(alone); !sampled.ok()) return sampled;
    }
    if (alone.is_slower() != Alternations::Longer::yes) return rotation_.check_idle();
    return {
        Status::implausible,
        say(sentences::baseline_slowed, request_.baseline.variant.name,
            with_si_prefix(summarise(samples().of(Sampling::baseline)).p50, "s"), with_si_prefix(alone.median(), "s")),
        -1, true};
}

/// From now on the samples of mixed calls are all that there are, and they say what ends the sampling.
TimingFailure Bench::sample_mixed() {
    counts_new_only_ = true;
    ended_by_.clear();
    for (samples().keep_mixed(); !enough(); samples().keep_mixed()) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sampling_->sample_surprising(); !sampled.ok()) return sampled;
    }
    return {};
}

/// Checks that no side takes longer on inputs that are new: it would remember results. All inputs are replaced only
/// where a side seems to be faster.
TimingFailure Bench::check_memory() {
    const Performance& performance = request_.performance;
    const bool is_host = backend_.traits().is_host;
    MixedCheck mixed(*sampling_, rotation_, *watch_, is_host, performance.budget_seconds, stop_);
    if (const TimingFailure checked = mixed.run(); !checked.ok()) return checked;
    if (mixed.counts_only_mixed()) {
        if (const TimingFailure sampled = sample_mixed(); !sampled.ok()) return sampled;
    }
    bool claims = false;
    for (int side = 1; side < samples().sides(); ++side) claims |= speedup(side).median > 1;
    if (!claims) return {};
    NoveltyCheck check(rotation_, *watch_, is_host, random_, stop_);
    const TimingFailure checked = check.run(samples().all(), performance.warm_caches);
    if (checked.ok() && !check.only_new().empty()) keep_new(check.only_new());
    return checked;
}

/// From now on the samples on new inputs are all that there are; there is no budget for more.
void Bench::keep_new(const NoveltyCheck::Times& seconds) {
    samples().replace(seconds);
    counts_new_only_ = true;
    ended_by_ = is_narrow() ? "interval" : "budget";
}

/// Whether threads that kernels have started rest during idle turns, seen for long enough to say so.
TimingFailure Bench::check_idle() {
    constexpr int most_batches = 100;
    for (int i = 0; i < most_batches && backend_.traits().is_host && !rotation_.has_seen_idle(); ++i) {
        if (const TimingFailure idle = sampling_->sample_idle(); !idle.ok()) return idle;
    }
    return rotation_.check_idle();
}

/// Asks the worker's clock once more where it says that time is hidden, or where too few of its batches were fit to
/// tell: on fresh batches, and on more of them where other programs take the processors. The clock says nothing of a
/// GPU, whose own events tell the times. It says nothing either where results are copied out of Python's memory, or a
/// library's threads are waited for: no idle batch does that.
TimingFailure Bench::check_clock() {
    const bool tells = backend_.traits().is_host && !rotation_.has_python() && !rotation_.has_library();
    if (!tells || rotation_.clock().hidden() == WorkerClock::Hidden::nothing) return {};
    constexpr int least_batches = 10, most_batches = 30;
    rotation_.clock().forget();
    const auto is_known = [&] { return rotation_.clock().hidden() != WorkerClock::Hidden::unknown; };
    for (int i = 0; i < most_batches && (i < least_batches || !is_known()); ++i) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sampling_->sample(); !sampled.ok()) return sampled;
        if (const TimingFailure idle = sampling_->sample_idle(); !idle.ok()) return idle;
    }
    const WorkerClock::Hidden hidden = rotation_.clock().hidden();
    is_clock_unknown_ = hidden == WorkerClock::Hidden::unknown;
    if (hidden != WorkerClock::Hidden::something) return {};
    return {Status::implausible, sentences::clocks_differ, -1, true};
}

void warn_of_spread(const std::string& name, const Summary& summary, BenchResult& result) {
    if (summary.relative_standard_deviation <= noisy_rsd) return;
    result.warnings.push_back(
        say(sentences::spread, name, 100 * summary.relative_standard_deviation, summary.samples, summary.outliers));
}

BenchResult Bench::result_of(int side) {
    const Side& candidate = rotation_.sides()[static_cast<std::size_t>(side)];
    BenchResult result;
    result.binding = request_.binding;
    result.baseline = request_.baseline.variant.name;
    result.candidate_seconds = samples().of(side);
    result.baseline_seconds = samples().of(Sampling::baseline);
    result.candidate = summarise(result.candidate_seconds);
    result.baseline_summary = summarise(result.baseline_seconds);
    result.speedup = speedup(side);
    result.ended_by = ended_by_;
    result.repeats = rotation_.sets();
    result.checked_calls = watch_->judged_calls(side) + watch_->judged_calls(Sampling::baseline);
    result.compared_calls = watch_->compared_calls(side) + watch_->compared_calls(Sampling::baseline);
    result.conditions = samples().conditions();
    result.tail_waste = tail_waste(candidate);
    result.workspace_bytes = workspace_bytes(candidate.implementation->variant, candidate.call.plan);
    warn_of_spread(candidate.implementation->variant.name, result.candidate, result);
    warn_of_spread(result.baseline + " (baseline)", result.baseline_summary, result);
    return result;
}

void Bench::finish(std::vector<BenchResult>& results) {
    const int sides = static_cast<int>(rotation_.sides().size());
    const std::size_t calls = samples().taken() * static_cast<std::size_t>(sides * rotation_.sets());
    for (int side = 1; side < sides; ++side) {
        BenchResult result = result_of(side);
        if (is_clock_unknown_) result.warnings.emplace_back(sentences::clock_unknown);
        if (counts_new_only_) result.warnings.emplace_back(sentences::faster_on_known_inputs);
        if (samples().discarded_turns() > 0)
            result.warnings.push_back(say(sentences::clock_fell, samples().discarded_turns()));
        constexpr std::int64_t noticeable_growth = 16 << 20;
        if (samples().grown_bytes() > noticeable_growth) {
            const std::string grown = with_si_prefix(static_cast<double>(samples().grown_bytes()), "B");
            result.warnings.push_back(say(sentences::grown_memory, grown, calls));
        }
        if (!request_.counters) result.counters.reason = sentences::counters_declined;
        results.push_back(std::move(result));
    }
    for (int side = 1; side < sides && request_.counters; ++side) {
        const Side& candidate = rotation_.sides()[static_cast<std::size_t>(side)];
        results[static_cast<std::size_t>(side) - 1].counters =
            backend_.count(rotation_.executor_of(side), rotation_.slot_of(side), request_.device, candidate.artifact,
                           candidate.call, stop_);
    }
}

TimingFailure Bench::run(std::vector<BenchResult>& results) {
    if (const TimingFailure chosen = choose_yardstick(); !chosen.ok()) return chosen;
    if (const TimingFailure built = rotation_.build(); !built.ok()) return built;
    if (const TimingFailure started = start(); !started.ok()) return started;
    if (const TimingFailure chosen = rotation_.prepare(random_); !chosen.ok()) return chosen;
    watch_.emplace(request_, *yardstick_, rotation_, random_, stop_);
    if (const TimingFailure renewed = renew(OutputWatch::Second::ordinary); !renewed.ok()) return renewed;
    sampling_.emplace(request_.performance, rotation_, *watch_, random_);
    if (const TimingFailure warm = sampling_->warm_up(); !warm.ok()) return warm;
    if (const TimingFailure sampled = sample_all(); !sampled.ok()) return sampled;
    finish(results);
    progress_("bench", 100, 100);
    return {};
}

/// Starts the sides. Sides in Python are loaded and called for the first time, which takes seconds of importing and
/// compiling, while other programs may still use the device. Other sides run no code before this timing has the device
/// alone.
TimingFailure Bench::start() {
    const std::size_t more = OutputWatch::arena_bytes(request_.definition, request_.binding);
    const bool is_host = backend_.traits().is_host, is_slow = rotation_.has_python();
    if (is_slow) {
        std::vector<FileLock> locks;
        const TimingFailure locked =
            lock_for_timing(request_.device, is_host, "bench", progress_, stop_, locks, DeviceUse::giving_way);
        if (!locked.ok()) return locked;
        if (const TimingFailure started = rotation_.start(more); !started.ok()) return started;
        if (const TimingFailure called = rotation_.call_first(random_); !called.ok()) return called;
    }
    const TimingFailure locked = lock_for_timing(request_.device, is_host, "bench", progress_, stop_, locks_);
    return !locked.ok() || is_slow ? locked : rotation_.start(more);
}

BenchResult failed(const BenchRequest& request, const TimingFailure& failure) {
    BenchResult result;
    result.binding = request.binding;
    result.baseline = request.baseline.variant.name;
    result.status = failure.status;
    result.reason = failure.reason;
    return result;
}

TimingFailure try_bench(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop,
                        std::vector<BenchResult>& results) {
    try {
        BenchRequest described = request;
        const Outcome known = describe_sides(described, backend, stop);
        if (!known.ok()) return {known.status, known.reason};
        Bench bench(described, backend, progress, std::move(stop));
        const TimingFailure failure = bench.run(results);
        if (!failure.ok()) bench.end_executor();
        return failure;
    } catch (const std::bad_alloc&) {
        return {Status::over_limit, "no memory is left to judge the timed calls with"};
    } catch (const std::exception& error) {
        return {Status::unavailable, say("the timing broke off: {}", error.what())};
    }
}

/// The request with some of its candidates.
BenchRequest with_candidates(const BenchRequest& request, std::vector<Implementation> candidates) {
    BenchRequest part = request;
    part.candidates = std::move(candidates);
    return part;
}

}  // namespace

std::vector<BenchResult> bench(const BenchRequest& request, Backend& backend, const Progress& progress,
                               std::stop_token stop) {
    std::vector<BenchResult> results;
    const auto timing = [&] {
        results.clear();
        return try_bench(request, backend, progress, stop, results);
    };
    const TimingFailure failure = with_second_try(timing, stop);
    if (failure.ok()) return results;
    const std::size_t count = request.candidates.size();
    if (count == 1 || stop.stop_requested()) return std::vector<BenchResult>(count, failed(request, failure));
    // All candidates share one process. The one that failed may be a victim of another one, so it is timed alone.
    const auto time_alone = [&](const Implementation& candidate) {
        BenchResult result = bench(with_candidates(request, {candidate}), backend, progress, stop).front();
        result.warnings.push_back(say(sentences::timed_apart, failure.reason));
        return result;
    };
    results.clear();
    if (failure.side > Sampling::baseline) {
        const auto blamed = static_cast<std::size_t>(failure.side) - 1;
        std::vector<Implementation> others = request.candidates;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(blamed));
        results = bench(with_candidates(request, std::move(others)), backend, progress, stop);
        results.insert(results.begin() + static_cast<std::ptrdiff_t>(blamed), time_alone(request.candidates[blamed]));
        return results;
    }
    for (const Implementation& candidate : request.candidates) results.push_back(time_alone(candidate));
    return results;
}

}  // namespace kernelgen

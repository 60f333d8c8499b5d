// SPDX-License-Identifier: Apache-2.0
#include "core/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <format>
#include <new>
#include <random>
#include <span>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/base/verdict_sentences.h"
#include "core/bench/baseline_alone.h"
#include "core/bench/described_sides.h"
#include "core/bench/novelty_check.h"
#include "core/bench/output_watch.h"
#include "core/bench/rotation.h"
#include "core/bench/slower.h"
#include "core/bench/timing_locks.h"
#include "core/measure/metrics.h"
#include "core/verify/yardstick.h"

namespace kernelgen {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int least_pairs = 20;
constexpr double narrow_interval = 0.01;  ///< half-width of the speedup's interval, relative to it
constexpr double first_look_seconds = 1;  ///< sampling before the interval is looked at for the first time
constexpr double look_growth = 1.4;       ///< of the sampling time from one look to the next
constexpr double shortest_batch = 0.04, longest_batch = 0.15;  ///< seconds
constexpr double batches_of_budget = 8;                        ///< at least, where these allow it
constexpr int first_idle_batches = 6;   ///< after each of the first batches comes one of idle turns,
constexpr int batches_an_idle_one = 4;  ///< and then after so many
constexpr int few_alone = 6;            ///< samples of the baseline alone that can tell
constexpr int judged_if_unknown = 44;   ///< calls of a variant whose runs may differ: 0.9^44 < 1 %
constexpr int judged_if_mixed = 6;      ///< calls on inputs that no call had, of each candidate: 0.5^6 < 2 %
constexpr int least_if_mixed = 2;
constexpr double noisy_rsd = 0.05;
constexpr int baseline_side = 0;
constexpr double longest_check = 10;  ///< of the memory of mixed calls, in budgets

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Bench {
public:
    Bench(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop)
        : request_(request),
          backend_(backend),
          progress_(progress),
          stop_(std::move(stop)),
          rotation_(request, backend, progress_, stop_),
          batch_seconds_(
              std::clamp(request.performance.budget_seconds / batches_of_budget, shortest_batch, longest_batch)) {}

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
    TimingFailure warm_up();
    std::vector<Renewal> draw_renewals();
    TimingFailure sample_all();
    TimingFailure sample_some(int judged, OutputWatch::Judged which = OutputWatch::Judged::any);
    TimingFailure sample_batch(int number);
    TimingFailure sample_idle();
    TimingFailure check_memory();
    TimingFailure check_mixed();
    std::vector<double> samples_of(int side, bool is_mixed) const;
    Slower is_slower_when_mixed(int side) const;
    bool is_beyond_predictors(int side) const;
    TimingFailure keep_mixed(double until);
    void forget_unmixed();
    void keep_new(const NoveltyCheck::Times& seconds);
    TimingFailure sample_surprising();
    TimingFailure sample_judging_mixed(int side);
    int side_to_surprise();
    TimingFailure remembers(int side) const;
    bool could_slow_baseline() const;
    TimingFailure check_baseline();
    TimingFailure alternate(BaselineAlone& alone);
    TimingFailure check_idle();
    TimingFailure check_clock();
    void take(const Samples& samples, const SampleRequest& request);
    int side_to_judge() const;
    int side_to_judge_mixed() const;
    bool enough();
    bool is_narrow() const;
    bool has_judged_enough() const;
    void finish(std::vector<BenchResult>& results);
    BenchResult result_of(int side);
    Speedup speedup(int side) const;

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
    std::vector<std::vector<double>> seconds_;  ///< of each side
    std::vector<bool> mixed_;                   ///< for each of its samples, whether its calls are mixed (OutputWatch)
    std::vector<bool> compared_;                ///< and whether it is compared with others for that
    std::map<std::string, double> conditions_;
    std::string ended_by_;
    double batch_seconds_ = longest_batch;
    double turn_seconds_ = 0;          ///< with poisoning and flushing
    double idle_turn_seconds_ = 1e-3;  ///< of an idle turn
    double judging_seconds_ = 0;       ///< of batches with a mixed call that is judged
    double elapsed_ = 0;               ///< of sampling alone; judging is not counted
    double next_look_ = first_look_seconds;
    std::int64_t grown_bytes_ = 0;
    int discarded_turns_ = 0;
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

TimingFailure Bench::warm_up() {
    constexpr double least_seconds = 0.2;
    const Clock::time_point start = Clock::now();
    int turns = 0;
    do {
        SampleRequest request = rotation_.draw_turns(1, random_);
        Samples samples;
        const Clock::time_point batch = Clock::now();
        if (const TimingFailure sampled = watch_->sample(request, samples); !sampled.ok()) return sampled;
        turn_seconds_ = seconds_since(batch);
        if (const TimingFailure checked = watch_->check(request, samples); !checked.ok()) return checked;
        ++turns;
    } while (turns < 3 || (seconds_since(start) < least_seconds && turns < 100));
    return {};
}

void Bench::take(const Samples& samples, const SampleRequest& request) {
    const std::vector<bool> mixed = watch_->mixed_turns(request), counted = watch_->counted_turns(request);
    const std::vector<bool> compared = watch_->compared_turns(request);
    for (std::size_t turn = 0; turn < counted.size(); ++turn) {
        if (!counted[turn]) continue;
        mixed_.push_back(mixed[turn]);
        compared_.push_back(compared[turn]);
        for (std::size_t side = 0; side < seconds_.size(); ++side)
            seconds_[side].push_back(samples.seconds[side][turn]);
    }
    grown_bytes_ += samples.grown_bytes;
    discarded_turns_ += samples.discarded;
    for (const auto& [name, value] : samples.conditions) {
        if (name == metrics::energy_j.name) conditions_[name] += value;
        else conditions_[name] = value;
    }
}

/// The outputs of a call of side `judged` are judged in full; -1: of no side.
TimingFailure Bench::sample_some(int judged, OutputWatch::Judged which) {
    const double left = std::max(least_pairs - static_cast<double>(seconds_[0].size()), 1.0);
    const double wished = batch_seconds_ / std::max(turn_seconds_, 1e-6);
    SampleRequest request =
        rotation_.draw_turns(static_cast<int>(std::clamp(wished, 1.0, std::max(left, 500.0))), random_);
    Samples samples;
    const Clock::time_point start = Clock::now();
    const TimingFailure sampled =
        judged < 0 ? watch_->sample(request, samples) : watch_->sample_judged(judged, which, request, samples);
    if (!sampled.ok()) return sampled;
    const auto turns = static_cast<double>(request.turns.size());
    if (judged < 0) turn_seconds_ = seconds_since(start) / turns;  // a kernel may have been slower when it warmed up
    elapsed_ += turn_seconds_ * turns;
    take(samples, request);
    return watch_->check(request, samples);
}

/// Samples idle turns, which consist only of what surrounds samples: the worker's clock needs their time.
TimingFailure Bench::sample_idle() {
    constexpr double share = 0.3, shortest = 0.03;
    const double wished = std::max(shortest, share * batch_seconds_) / std::max(idle_turn_seconds_, 1e-6);
    SampleRequest request;
    request.turns.assign(static_cast<std::size_t>(std::clamp(wished, 1.0, 2000.0)), {SampleRequest::nobody});
    watch_->prepare(request);
    Samples samples;
    const Clock::time_point start = Clock::now();
    const TimingFailure sampled = rotation_.sample_idle(request, samples);
    idle_turn_seconds_ = seconds_since(start) / static_cast<double>(request.turns.size());
    return sampled;
}

/// The side that has most calls to be judged in full, or -1. Where there is one, each batch has such a call, in a turn
/// that is drawn at random: no call is one that is never judged.
int Bench::side_to_judge() const {
    int chosen = -1;
    for (int side = 0; side < static_cast<int>(rotation_.sides().size()); ++side) {
        if (!watch_->must_judge(side)) continue;
        if (chosen < 0 || watch_->judged_calls(side) < watch_->judged_calls(chosen)) chosen = side;
    }
    return chosen;
}

/// The candidate that has fewest mixed calls judged, until all have enough; -1: none. Two are enough where the
/// reference takes long.
int Bench::side_to_judge_mixed() const {
    if (!watch_->can_mix()) return -1;
    const bool takes_long = judging_seconds_ > request_.performance.budget_seconds;
    int chosen = -1, fewest = takes_long ? least_if_mixed : judged_if_mixed;
    for (int side = 1; side < static_cast<int>(rotation_.sides().size()); ++side) {
        if (watch_->judged_mixed_calls(side) >= fewest) continue;
        chosen = side;
        fewest = watch_->judged_mixed_calls(side);
    }
    return chosen;
}

bool Bench::has_judged_enough() const {
    const int side = side_to_judge();
    return side < 0 || watch_->judged_calls(side) >= judged_if_unknown;
}

/// The speedup with its interval. Where the worker's clock had to excuse time, because the executor waited for a
/// processor, the interval allows for that time to have been hidden by either side. Where the clock could not compare
/// the surroundings of samples, the interval allows for the time that these took longer than they must. Hidden in half
/// of the samples, such time changes a median most.
Speedup Bench::speedup(int side) const {
    const std::vector<double>&candidate = seconds_[static_cast<std::size_t>(side)], &baseline = seconds_[baseline_side];
    Speedup found = speedup_of(candidate, baseline);
    const double around = is_clock_unknown_ ? rotation_.clock().unexplained_seconds() : 0;  // of a sample of any side
    const double samples = static_cast<double>(candidate.size());
    const double each = rotation_.clock().excused_seconds() / samples + around * static_cast<double>(seconds_.size());
    const double hidden = 2 * each / rotation_.sets();
    const double candidate_median = summarise(candidate).p50, baseline_median = summarise(baseline).p50;
    found.lower *= candidate_median / (candidate_median + hidden);
    found.upper *= (baseline_median + hidden) / baseline_median;
    return found;
}

/// Whether sampling can end; sets what ended it.
bool Bench::enough() {
    const bool spent = elapsed_ >= request_.performance.budget_seconds;
    if (seconds_[0].size() < least_pairs || (elapsed_ < next_look_ && !spent)) return false;
    // Looked at rarely: stopping at the first of many looks would favour intervals that are narrow by chance.
    next_look_ *= look_growth;
    if (is_narrow()) ended_by_ = "interval";
    else if (spent) ended_by_ = "budget";
    return !ended_by_.empty();
}

/// Whether the interval of every candidate is narrow enough.
bool Bench::is_narrow() const {
    for (int side = 1; side < static_cast<int>(seconds_.size()); ++side) {
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

/// A candidate whose mixed call is judged beyond those that must be, now and then; -1: none. So no kernel can know that
/// no mixed call is judged any more.
int Bench::side_to_surprise() {
    const bool takes_long = judging_seconds_ > request_.performance.budget_seconds;
    const std::uint64_t one_of = takes_long ? 24 : 6;  // batches
    if (!watch_->can_mix() || random_() % one_of != 0) return -1;
    return 1 + static_cast<int>(random_() % (rotation_.sides().size() - 1));
}

/// A batch in which a mixed call may be judged.
TimingFailure Bench::sample_surprising() {
    constexpr int nobody = -1;
    const int side = side_to_surprise();
    return side < 0 ? sample_some(nobody) : sample_judging_mixed(side);
}

TimingFailure Bench::sample_judging_mixed(int side) {
    const Clock::time_point start = Clock::now();
    const TimingFailure sampled = sample_some(side, OutputWatch::Judged::mixed);
    judging_seconds_ += seconds_since(start);
    return sampled;
}

/// Mixed calls are judged in every second batch until enough were, and then in a few batches that are drawn at random.
TimingFailure Bench::sample_batch(int number) {
    const int judged = side_to_judge(), mixed = side_to_judge_mixed();
    if (judged < 0 && mixed < 0) return sample_surprising();
    const bool is_mixed_due = mixed >= 0 && (judged < 0 || number % 2 == 0);
    return is_mixed_due ? sample_judging_mixed(mixed) : sample_some(judged);
}

TimingFailure Bench::sample_all() {
    seconds_.resize(rotation_.sides().size());
    const std::vector<Renewal> drawn = draw_renewals();
    std::span<const Renewal> renewals = drawn;  // those to come
    for (int batch = 1;; ++batch) {
        const bool can_end = enough() && has_judged_enough() && side_to_judge_mixed() < 0;
        if (can_end && renewals.empty()) break;
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        progress_("bench", static_cast<int>(std::min(99.0, 100 * elapsed_ / request_.performance.budget_seconds)), 100);
        if (!renewals.empty() && (can_end || elapsed_ >= renewals.front().at)) {
            if (const TimingFailure renewed = renew(renewals.front().second); !renewed.ok()) return renewed;
            renewals = renewals.subspan(1);
        }
        if (const TimingFailure sampled = sample_batch(batch); !sampled.ok()) return sampled;
        const bool is_idle_due = batch <= first_idle_batches || batch % batches_an_idle_one == 1;
        if (!is_idle_due || !backend_.traits().is_host) continue;
        if (const TimingFailure idle = sample_idle(); !idle.ok()) return idle;
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
    for (int side = 1; side < static_cast<int>(seconds_.size()); ++side) {
        const Language language = rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.language;
        const bool runs_here = backend_.traits().is_host ? language != Language::library : runs_in_python(language);
        if (runs_here && speedup(side).lower > 1) return true;
    }
    return false;
}

/// A batch of the baseline alone, and then one of all sides.
TimingFailure Bench::alternate(BaselineAlone& alone) {
    constexpr int most = 500, nobody = -1;
    const double wished = shortest_batch / std::max(turn_seconds_, 1e-6);
    const double fewest = alone.samples() == 0 ? few_alone : 2;
    const int turns = static_cast<int>(std::clamp<double>(wished, fewest, most));
    if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
    const TimingFailure sampled = alone.sample(rotation_.draw_turns(turns, random_), rotation_);
    if (!sampled.ok()) return sampled;
    const std::size_t before = seconds_[baseline_side].size();
    while (seconds_[baseline_side].size() == before) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure beside = sample_some(nobody); !beside.ok()) return beside;
    }
    alone.compare_with(std::span(seconds_[baseline_side]).subspan(before));
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
    if (!alone.seems_slower(seconds_[baseline_side])) return rotation_.check_idle();
    const std::size_t as_before = seconds_[baseline_side].size();
    for (std::vector<double>& side : seconds_) side.clear();
    mixed_.clear();
    compared_.clear();
    alone.forget();
    const auto is_known = [&] { return alone.is_slower() != Alternations::Longer::unknown; };
    for (int i = 0; seconds_[baseline_side].size() < as_before || (i < most_batches && !is_known()); ++i) {
        if (const TimingFailure sampled = alternate(alone); !sampled.ok()) return sampled;
    }
    if (alone.is_slower() != Alternations::Longer::yes) return rotation_.check_idle();
    return {Status::implausible,
            say(sentences::baseline_slowed, request_.baseline.variant.name,
                with_si_prefix(summarise(seconds_[baseline_side]).p50, "s"), with_si_prefix(alone.median(), "s")),
            -1, true};
}

/// Checks that no side takes longer on inputs that are new: it would remember results. All inputs are replaced only
/// where a side seems to be faster.
TimingFailure Bench::check_memory() {
    if (const TimingFailure checked = check_mixed(); !checked.ok()) return checked;
    bool claims = false;
    for (int side = 1; side < static_cast<int>(seconds_.size()); ++side) claims |= speedup(side).median > 1;
    if (!claims) return {};
    NoveltyCheck check(rotation_, *watch_, backend_.traits().is_host, random_, stop_);
    const TimingFailure checked = check.run(seconds_, request_.performance.warm_caches);
    if (checked.ok() && !check.only_new().empty()) keep_new(check.only_new());
    return checked;
}

/// From now on the samples on new inputs are all that there are; there is no budget for more.
void Bench::keep_new(const NoveltyCheck::Times& seconds) {
    seconds_ = seconds;
    counts_new_only_ = true;
    ended_by_ = is_narrow() ? "interval" : "budget";
}

/// Compares mixed calls with those of the same batches that were not mixed, until it is known whether a side takes a
/// tenth longer in mixed ones. Where that may be what branch predictors remember, or is not known, only mixed calls
/// count.
TimingFailure Bench::check_mixed() {
    constexpr std::size_t most_turns = 600, least_turns = 100;
    const double until = elapsed_ + request_.performance.budget_seconds;
    const double at_last = elapsed_ + longest_check * std::max(1.0, request_.performance.budget_seconds);
    for (std::size_t before = mixed_.size();;) {
        bool is_known = true, differs = false;
        for (int side = 0; side < static_cast<int>(seconds_.size()); ++side) {
            const Slower found = is_slower_when_mixed(side);
            if (found == Slower::yes && is_beyond_predictors(side)) return remembers(side);
            is_known &= found != Slower::unknown;
            differs |= found != Slower::no;
        }
        const std::size_t turns = mixed_.size() - before;
        const bool is_over = is_known || turns >= most_turns || (turns >= least_turns && elapsed_ > until);
        const bool cannot_go_on = !watch_->can_mix() || elapsed_ > at_last;
        if (is_over || cannot_go_on) return differs ? keep_mixed(at_last) : TimingFailure{};
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sample_surprising(); !sampled.ok()) return sampled;
    }
}

/// Whether a side takes longer in mixed calls than branch predictors explain.
bool Bench::is_beyond_predictors(int side) const {
    const double longer = seconds_longer(samples_of(side, true), samples_of(side, false));
    return !backend_.traits().is_host || longer > saved_by_predictors(rotation_.layout());
}

/// From now on the samples of mixed calls are all that there are, and they say what ends the sampling. Where too few
/// can be had until then, all samples stay.
TimingFailure Bench::keep_mixed(double until) {
    const auto has_enough = [&] { return std::ranges::count(mixed_, true) >= least_pairs; };
    while (!has_enough() && watch_->can_mix() && elapsed_ < until) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sample_surprising(); !sampled.ok()) return sampled;
    }
    if (!has_enough()) return {};
    counts_new_only_ = true;
    ended_by_.clear();
    for (forget_unmixed(); !enough(); forget_unmixed()) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sample_surprising(); !sampled.ok()) return sampled;
    }
    return {};
}

void Bench::forget_unmixed() {
    for (std::vector<double>& side : seconds_) {
        std::vector<double> kept;
        for (std::size_t i = 0; i < mixed_.size(); ++i) {
            if (mixed_[i]) kept.push_back(side[i]);
        }
        side = std::move(kept);
    }
    mixed_.assign(seconds_[0].size(), true);
    compared_.assign(seconds_[0].size(), true);
}

/// The samples of a side that are compared, mixed or not.
std::vector<double> Bench::samples_of(int side, bool is_mixed) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < mixed_.size(); ++i) {
        if (compared_[i] && mixed_[i] == is_mixed) found.push_back(seconds_[static_cast<std::size_t>(side)][i]);
    }
    return found;
}

Slower Bench::is_slower_when_mixed(int side) const {
    constexpr double noticeable = 0.1;
    constexpr std::size_t least_mixed = 12;  // of a side that claims a speedup
    const Language language = rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.language;
    if (backend_.traits().is_host && language == Language::library) return Slower::no;
    const std::vector<double> mixed = samples_of(side, true), others = samples_of(side, false);
    if (mixed.empty() || others.empty()) return Slower::no;
    const bool is_too_early = mixed.size() < least_mixed && side != baseline_side && speedup(side).median > 1;
    if (is_too_early) return Slower::unknown;
    return is_slower(mixed, others, noticeable * lower_quartile(others));
}

TimingFailure Bench::remembers(int side) const {
    return remembers_inputs(rotation_.sides()[static_cast<std::size_t>(side)], side, samples_of(side, true),
                            samples_of(side, false));
}

/// Whether threads that kernels have started rest during idle turns, seen for long enough to say so.
TimingFailure Bench::check_idle() {
    constexpr int most_batches = 100;
    for (int i = 0; i < most_batches && backend_.traits().is_host && !rotation_.has_seen_idle(); ++i) {
        if (const TimingFailure idle = sample_idle(); !idle.ok()) return idle;
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
    constexpr int least_batches = 10, most_batches = 30, nobody = -1;
    rotation_.clock().forget();
    const auto is_known = [&] { return rotation_.clock().hidden() != WorkerClock::Hidden::unknown; };
    for (int i = 0; i < most_batches && (i < least_batches || !is_known()); ++i) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sample_some(nobody); !sampled.ok()) return sampled;
        if (const TimingFailure idle = sample_idle(); !idle.ok()) return idle;
    }
    const WorkerClock::Hidden hidden = rotation_.clock().hidden();
    is_clock_unknown_ = hidden == WorkerClock::Hidden::unknown;
    if (hidden != WorkerClock::Hidden::something) return {};
    return {Status::implausible, sentences::clocks_differ, -1, true};
}

/// Share of the threads' time (of a GPU: of the blocks that run at once) that is lost when the programs of each launch
/// do not divide evenly among them.
double tail_waste(const LaunchPlan& plan, int threads) {
    if (threads <= 0) return 0;
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

/// The programs of a side that run at once, by the numbers of its device; 0 where it has none.
int programs_at_once(const Side& side) {
    const Sizes& numbers = side.implementation->device;
    const auto number = [&](const char* name) {
        const auto found = numbers.find(name);
        return found == numbers.end() ? 0 : static_cast<int>(found->second);
    };
    const int blocks = number("multiprocessors") * side.blocks_per_multiprocessor;
    return blocks > 0 ? blocks : number("threads");
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
    result.candidate_seconds = seconds_[static_cast<std::size_t>(side)];
    result.baseline_seconds = seconds_[baseline_side];
    result.candidate = summarise(result.candidate_seconds);
    result.baseline_summary = summarise(result.baseline_seconds);
    result.speedup = speedup(side);
    result.ended_by = ended_by_;
    result.repeats = rotation_.sets();
    result.checked_calls = watch_->judged_calls(side) + watch_->judged_calls(baseline_side);
    result.compared_calls = watch_->compared_calls(side) + watch_->compared_calls(baseline_side);
    result.conditions = conditions_;
    result.tail_waste = tail_waste(candidate.call.plan, programs_at_once(candidate));
    warn_of_spread(candidate.implementation->variant.name, result.candidate, result);
    warn_of_spread(result.baseline + " (baseline)", result.baseline_summary, result);
    return result;
}

void Bench::finish(std::vector<BenchResult>& results) {
    const int sides = static_cast<int>(rotation_.sides().size());
    const std::size_t calls = seconds_[0].size() * static_cast<std::size_t>(sides * rotation_.sets());
    for (int side = 1; side < sides; ++side) {
        BenchResult result = result_of(side);
        if (is_clock_unknown_) result.warnings.emplace_back(sentences::clock_unknown);
        if (counts_new_only_) result.warnings.emplace_back(sentences::faster_on_known_inputs);
        if (discarded_turns_ > 0) result.warnings.push_back(say(sentences::clock_fell, discarded_turns_));
        constexpr std::int64_t noticeable_growth = 16 << 20;
        if (grown_bytes_ > noticeable_growth) {
            const std::string grown = with_si_prefix(static_cast<double>(grown_bytes_), "B");
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
    if (const TimingFailure warm = warm_up(); !warm.ok()) return warm;
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
    if (failure.side > baseline_side) {
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

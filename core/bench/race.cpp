// SPDX-License-Identifier: Apache-2.0
#include "core/bench/race.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/base/json_format.h"
#include "core/base/tuning_sentences.h"
#include "core/bench/described_sides.h"
#include "core/bench/rotation.h"
#include "core/bench/timing_locks.h"
#include "core/measure/metrics.h"
#include "core/said/said.h"
#include "core/verify/buffers.h"
#include "core/verify/yardstick.h"

namespace kernelgen {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int first_pairs = 4;  ///< after which clear losers leave
constexpr std::uint64_t seed_of_inputs = 1;
constexpr std::chrono::milliseconds worth_telling{50};  ///< for so long at least the first pairs must have taken

void append(std::vector<double>& all, const std::vector<double>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// One race of all candidates of a request in one executor. Side 0 is the pace, side i + 1 candidate i.
class Race {
public:
    Race(const RaceRequest& request, Backend& backend, const Progress& progress, std::stop_token stop)
        : request_(request),
          backend_(backend),
          progress_(progress),
          stop_(std::move(stop)),
          rotation_(request.sides, backend, progress_, stop_),
          results_(request.sides.candidates.size()) {}

    TimingFailure run();
    std::vector<RaceResult> take_results() { return std::move(results_); }
    /// Ends the executor after a failure: a failed kernel may have left a thread behind.
    void end_executor() { rotation_.end_executor(); }

private:
    TimingFailure choose_yardstick();
    TimingFailure start();
    Outcome fill_inputs();
    TimingFailure judge_all();
    TimingFailure judge(int side, CaseAccuracy& judged);
    TimingFailure call(int side, bool is_judged, std::uint64_t& sum);
    CaseAccuracy judge_arena();
    TimingFailure sample(int turns, bool counts);
    void let_losers_leave();
    void take_ratios();
    void tell_first_pairs(Clock::time_point begin);
    TimingFailure measure_energy();
    TimingFailure energy_of(int side, double& joules);
    static bool is_racing(const RaceResult& result) { return result.ok() && !result.left; }
    bool is_racing(int side) const { return side == 0 || is_racing(results_[static_cast<std::size_t>(side) - 1]); }
    bool is_over(Clock::time_point begin) const;

    const RaceRequest& request_;
    Backend& backend_;
    const Progress& progress_;
    std::stop_token stop_;
    std::vector<FileLock> locks_;
    std::mt19937_64 random_{std::random_device{}()};
    std::uint64_t key_ = random_() | 1;   ///< of the outputs' checksums
    std::set<std::uint64_t> right_sums_;  ///< of outputs that were judged
    std::unique_ptr<Yardstick> yardstick_;
    Rotation rotation_;
    std::vector<RaceResult> results_;
};

TimingFailure Race::choose_yardstick() {
    const BenchRequest& sides = request_.sides;
    const YardstickRequest wanted{sides.definition, sides.accuracy,        sides.reference,
                                  sides.device,     sides.timeout_seconds, request_.references};
    const Outcome made = make_yardstick(wanted, backend_, progress_, stop_, yardstick_);
    if (!made.ok()) return {made.status, made.reason};
    const Outcome prepared = yardstick_->prepare({sides.binding});
    return {prepared.status, prepared.reason};
}

TimingFailure Race::start() {
    if (const TimingFailure built = rotation_.build(); !built.ok()) return built;
    if (const TimingFailure chosen = choose_yardstick(); !chosen.ok()) return chosen;  // may build, before the locks
    const TimingFailure locked =
        lock_for_timing(request_.sides.device, backend_.traits().is_host, "race", progress_, stop_, locks_);
    if (!locked.ok()) return locked;
    if (const TimingFailure started = rotation_.start(0); !started.ok()) return started;
    if (const Outcome filled = fill_inputs(); !filled.ok()) return {filled.status, filled.reason};
    if (const TimingFailure prepared = rotation_.prepare(random_); !prepared.ok()) return prepared;
    return rotation_.sets() == 1 ? rotation_.refill({}) : TimingFailure{};
}

Outcome Race::fill_inputs() {
    const Call& call = rotation_.sides()[0].call;
    if (has_file(request_.sides.definition.family)) {
        return yardstick_->make_inputs(call, rotation_.layout(), rotation_.arena(), InputSet::normal, seed_of_inputs);
    }
    KeptInputs once;
    KeptInputs& inputs = request_.inputs == nullptr ? once : *request_.inputs;
    inputs.fill(call, rotation_.layout(), rotation_.arena(), InputSet::normal, seed_of_inputs);
    return {};
}

/// Calls a side once on poisoned outputs, all of which are copied to the arena where they are to be judged.
TimingFailure Race::call(int side, bool is_judged, std::uint64_t& sum) {
    SampleRequest request;
    request.turns = {{side}};
    request.poison = static_cast<std::uint8_t>(random_() | 1);
    request.key = key_;
    if (is_judged) request.capture = {side, 0, 0};
    Samples samples;
    TimingFailure sampled = rotation_.sample(request, samples);
    sampled.side = side;
    if (!sampled.ok()) return sampled;
    sum = samples.checksums[static_cast<std::size_t>(side)].front();
    return {};
}

/// Judges what one call of a side leaves; outputs with the checksum of those that were right before are right.
TimingFailure Race::judge(int side, CaseAccuracy& judged) {
    std::uint64_t sum = 0;
    if (const TimingFailure called = call(side, false, sum); !called.ok()) return called;
    if (right_sums_.contains(sum)) return {};
    if (const TimingFailure called = call(side, true, sum); !called.ok()) return called;
    judged = judge_arena();
    if (judged.status == Status::ok) right_sums_.insert(sum);
    return {};
}

CaseAccuracy Race::judge_arena() {
    const Check check{request_.sides.binding, InputSet::normal, seed_of_inputs};
    const Call& call = rotation_.sides()[0].call;
    if (yardstick_->is_plainly_right(check, call, rotation_.layout(), rotation_.arena(), stop_)) return {};
    return yardstick_->judge(check, call, rotation_.layout(), rotation_.arena(), stop_);
}

TimingFailure Race::judge_all() {
    for (int side = 0; side <= static_cast<int>(results_.size()); ++side) {
        CaseAccuracy judged;
        if (TimingFailure called = judge(side, judged); !called.ok()) return called;
        const bool is_pace = side == 0;
        if (judged.status == Status::cancelled || (is_pace && judged.status != Status::ok))
            return {judged.status, judged.reason, side};
        if (is_pace) continue;
        RaceResult& result = results_[static_cast<std::size_t>(side) - 1];
        result.status = judged.status;
        if (!result.ok()) result.reason = judged.reason;
    }
    return {};
}

/// Samples the sides that are still racing. The samples are kept only where `counts` is set.
TimingFailure Race::sample(int turns, bool counts) {
    SampleRequest request = rotation_.draw_turns(turns, random_);
    for (std::vector<int>& turn : request.turns) std::erase_if(turn, [&](int side) { return !is_racing(side); });
    request.flush = !request_.sides.performance.warm_caches;
    Samples samples;
    if (const TimingFailure sampled = rotation_.sample(request, samples); !sampled.ok() || !counts) return sampled;
    for (std::size_t i = 0; i < results_.size(); ++i) {
        if (!is_racing(results_[i])) continue;
        append(results_[i].seconds, samples.seconds[i + 1]);
        append(results_[i].pace_seconds, samples.seconds[0]);
    }
    return {};
}

void Race::let_losers_leave() {
    for (RaceResult& each : results_) {
        each.left = each.ok();
        for (std::size_t i = 0; i < each.seconds.size(); ++i) {
            if (each.seconds[i] <= request_.leave_above * each.pace_seconds[i]) each.left = false;
        }
    }
}

void Race::take_ratios() {
    for (RaceResult& each : results_) {
        if (each.ok()) each.ratio = 1 / speedup_of(each.seconds, each.pace_seconds).median;
    }
}

/// Where the kernels are so fast that the race is over at once, its results are told soon enough.
void Race::tell_first_pairs(Clock::time_point begin) {
    if (!request_.tell || Clock::now() - begin < worth_telling || is_over(begin)) return;
    take_ratios();
    request_.tell(results_);
}

/// Measures the energy of one turn that calls only this side; flushing and poisoning are included. 0 where the device
/// does not tell its energy.
TimingFailure Race::energy_of(int side, double& joules) {
    constexpr int first_turns = 8, most_turns = 20000;
    SampleRequest request;
    request.flush = !request_.sides.performance.warm_caches;
    request.turns.assign(first_turns, {side});
    Samples samples;
    const Clock::time_point begin = Clock::now();
    if (const TimingFailure sampled = rotation_.sample(request, samples); !sampled.ok()) return sampled;
    const double turn = std::chrono::duration<double>(Clock::now() - begin).count() / first_turns;
    const double wished = request_.energy_seconds / std::max(turn, 1e-7);
    request.turns.assign(static_cast<std::size_t>(std::clamp<double>(wished, first_turns, most_turns)), {side});
    samples = {};
    if (const TimingFailure sampled = rotation_.sample(request, samples); !sampled.ok()) return sampled;
    const auto told = samples.conditions.find(metrics::energy_j.name);
    joules = told == samples.conditions.end() ? 0 : told->second / static_cast<double>(request.turns.size());
    return {};
}

/// Measures the energy of a call, for the pace and the fastest candidates. Only a few are measured, since that takes
/// longer than timing all. An idle turn, in which no side is called, takes energy too: it is subtracted, since it is
/// not the kernels'.
TimingFailure Race::measure_energy() {
    constexpr std::size_t most = 4;
    std::vector<std::pair<double, std::size_t>> racing;
    for (std::size_t i = 0; i < results_.size(); ++i) {
        const RaceResult& each = results_[i];
        if (is_racing(each)) racing.emplace_back(1 / speedup_of(each.seconds, each.pace_seconds).median, i);
    }
    std::ranges::sort(racing);
    racing.resize(std::min(racing.size(), most));
    double nobody = 0, pace = 0;
    if (const TimingFailure measured = energy_of(SampleRequest::nobody, nobody); !measured.ok()) return measured;
    if (const TimingFailure measured = energy_of(0, pace); !measured.ok()) return measured;
    for (const auto& [ratio, i] : racing) {
        double joules = 0;
        if (const TimingFailure measured = energy_of(static_cast<int>(i) + 1, joules); !measured.ok()) return measured;
        results_[i].energy = std::max(0.0, joules - nobody) / rotation_.sets();
        results_[i].pace_energy = std::max(0.0, pace - nobody) / rotation_.sets();
    }
    return {};
}

bool Race::is_over(Clock::time_point begin) const {
    const std::chrono::duration<double> budget(request_.sides.performance.budget_seconds);
    const auto most = static_cast<std::size_t>(request_.most_pairs);
    std::size_t pairs = most;
    for (const RaceResult& each : results_) {
        if (is_racing(each)) pairs = std::min(pairs, each.seconds.size());
    }
    return pairs >= most || Clock::now() - begin >= budget;
}

TimingFailure Race::run() {
    if (const TimingFailure started = start(); !started.ok()) return started;
    if (const TimingFailure judged = judge_all(); !judged.ok()) return judged;
    if (std::ranges::none_of(results_, &RaceResult::ok)) return {};
    if (const TimingFailure warm = sample(1, false); !warm.ok()) return warm;
    const Clock::time_point begin = Clock::now();
    if (const TimingFailure first = sample(first_pairs, true); !first.ok()) return first;
    let_losers_leave();
    tell_first_pairs(begin);
    while (!is_over(begin)) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure more = sample(first_pairs, true); !more.ok()) return more;
    }
    if (request_.energy_seconds > 0) {
        if (const TimingFailure measured = measure_energy(); !measured.ok()) return measured;
    }
    take_ratios();
    return {};
}

TimingFailure try_race_once(const RaceRequest& request, Backend& backend, const Progress& progress,
                            std::stop_token stop, std::vector<RaceResult>& results) {
    try {
        RaceRequest described = request;
        const Outcome known = describe_sides(described.sides, backend, stop);
        if (!known.ok()) return {known.status, known.reason};
        Race race(described, backend, progress, std::move(stop));
        const TimingFailure failure = race.run();
        if (!failure.ok()) race.end_executor();
        results = race.take_results();
        return failure;
    } catch (const std::bad_alloc&) {
        return {Status::over_limit, "no memory is left to time with"};
    } catch (const std::exception& error) {
        return {Status::unavailable, say("the timing broke off: {}", error.what())};
    }
}

TimingFailure try_race(const RaceRequest& request, Backend& backend, const Progress& progress, std::stop_token stop,
                       std::vector<RaceResult>& results) {
    return with_second_try([&] { return try_race_once(request, backend, progress, stop, results); }, stop);
}

/// Whether the only candidate of a race is the pace itself.
bool races_itself(const BenchRequest& sides) {
    const Implementation &pace = sides.baseline, &candidate = sides.candidates.front();
    return pace.variant == candidate.variant && pace.configuration == candidate.configuration &&
           pace.text == candidate.text && pace.files == candidate.files;
}

RaceResult result_of(const TimingFailure& failure) { return {.status = failure.status, .reason = failure.reason}; }

/// The result of the only candidate of a race that failed. Where nobody knows which side failed, the pace is tried
/// without the candidate.
RaceResult blame(const RaceRequest& request, Backend& backend, const Progress& progress, std::stop_token stop,
                 const TimingFailure& failure) {
    if (failure.status == Status::cancelled || failure.side > 0 || races_itself(request.sides))
        return result_of(failure);
    TimingFailure of_pace = failure;
    if (failure.side < 0) {
        RaceRequest pace = request;
        pace.sides.candidates.clear();
        std::vector<RaceResult> none;
        of_pace = try_race(pace, backend, progress, std::move(stop), none);
    }
    if (of_pace.ok()) return result_of(failure);
    if (of_pace.status == Status::cancelled) return result_of(of_pace);
    return {.status = Status::unavailable,
            .reason = say(sentences::pace_failed, to_string(of_pace.status), of_pace.reason)};
}

}  // namespace

std::vector<RaceResult> race(const RaceRequest& request, Backend& backend, const Progress& progress,
                             std::stop_token stop) {
    std::vector<RaceResult> results;
    const TimingFailure failure = try_race(request, backend, progress, stop, results);
    const std::vector<Implementation>& candidates = request.sides.candidates;
    if (candidates.size() == 1)
        return failure.ok() ? results : std::vector{blame(request, backend, progress, stop, failure)};
    // All candidates share one process and its inputs. The one that failed may be a victim of another one, so each is
    // tried alone.
    results.resize(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (failure.ok() && results[i].ok()) continue;
        if (stop.stop_requested()) {
            results[i] = {.status = Status::cancelled, .reason = "cancelled"};
            continue;
        }
        RaceRequest alone = request;
        alone.sides.candidates = {candidates[i]};
        if (request.tell)
            alone.tell = [&](const std::vector<RaceResult>& of_one) {
                std::vector<RaceResult> of_all(candidates.size());
                of_all[i] = of_one.front();
                request.tell(of_all);
            };
        results[i] = race(alone, backend, progress, stop).front();
    }
    return results;
}

nlohmann::json to_json(const RaceResult& result) {
    nlohmann::json object = {
        {"status", to_string(result.status)}, {"seconds", result.seconds}, {"pace_seconds", result.pace_seconds},
        {"ratio", json_number(result.ratio)}, {"left", result.left},       {"energy", result.energy},
        {"pace_energy", result.pace_energy}};
    put_said(object, "reason", result.reason);
    return object;
}

RaceResult race_result_from_json(const nlohmann::json& json) {
    return {.status = parse_status(json.at("status").get<std::string>()).value_or(Status::crashed),
            .reason = own_words(json, "reason"),
            .seconds = json.at("seconds"),
            .pace_seconds = json.at("pace_seconds"),
            .ratio = number_from_json(json.at("ratio")),
            .left = json.at("left"),
            .energy = json.value("energy", 0.0),
            .pace_energy = json.value("pace_energy", 0.0)};
}

}  // namespace kernelgen

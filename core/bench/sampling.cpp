// SPDX-License-Identifier: Apache-2.0
#include "core/bench/sampling.h"

#include <algorithm>
#include <chrono>

namespace kernelgen {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double shortest_batch = 0.04, longest_batch = 0.15;  ///< seconds
constexpr double batches_of_budget = 8;                        ///< at least, where these allow it
constexpr int judged_if_unknown = 44;  ///< calls of a variant whose runs may differ: 0.9^44 < 1 %
constexpr int judged_if_mixed = 6;     ///< calls on inputs that no call had, of each candidate: 0.5^6 < 2 %
constexpr int least_if_mixed = 2;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Sampling::Sampling(const Performance& performance, Rotation& rotation, OutputWatch& watch, std::mt19937_64& random)
    : performance_(performance),
      rotation_(rotation),
      watch_(watch),
      random_(random),
      samples_(rotation.sides().size()),
      batch_seconds_(std::clamp(performance.budget_seconds / batches_of_budget, shortest_batch, longest_batch)) {}

TimingFailure Sampling::warm_up() {
    constexpr double least_seconds = 0.2;
    const Clock::time_point start = Clock::now();
    int turns = 0;
    do {
        SampleRequest request = rotation_.draw_turns(1, random_);
        Samples samples;
        const Clock::time_point batch = Clock::now();
        if (const TimingFailure sampled = watch_.sample(request, samples); !sampled.ok()) return sampled;
        turn_seconds_ = seconds_since(batch);
        if (const TimingFailure checked = watch_.check(request, samples); !checked.ok()) return checked;
        ++turns;
    } while (turns < 3 || (seconds_since(start) < least_seconds && turns < 100));
    return {};
}

TimingFailure Sampling::sample(int judged, OutputWatch::Judged which) {
    const double left = std::max(least_pairs - static_cast<double>(samples_.count()), 1.0);
    const double wished = batch_seconds_ / std::max(turn_seconds_, 1e-6);
    SampleRequest request =
        rotation_.draw_turns(static_cast<int>(std::clamp(wished, 1.0, std::max(left, 500.0))), random_);
    Samples samples;
    const Clock::time_point start = Clock::now();
    const TimingFailure sampled =
        judged < 0 ? watch_.sample(request, samples) : watch_.sample_judged(judged, which, request, samples);
    if (!sampled.ok()) return sampled;
    const auto turns = static_cast<double>(request.turns.size());
    if (judged < 0) turn_seconds_ = seconds_since(start) / turns;  // a kernel may have been slower when it warmed up
    elapsed_ += turn_seconds_ * turns;
    samples_.add(samples, {watch_.counted_turns(request), watch_.mixed_turns(request), watch_.compared_turns(request)});
    return watch_.check(request, samples);
}

TimingFailure Sampling::sample_idle() {
    constexpr double share = 0.3, shortest = 0.03;
    const double each = idle_turn_seconds_ > 0 ? idle_turn_seconds_ : turn_seconds_;
    const double wished = std::max(shortest, share * batch_seconds_) / std::max(each, 1e-6);
    SampleRequest request;
    request.turns.assign(static_cast<std::size_t>(std::clamp(wished, 1.0, 2000.0)), {SampleRequest::nobody});
    watch_.prepare(request);
    Samples samples;
    const Clock::time_point start = Clock::now();
    const TimingFailure sampled = rotation_.sample_idle(request, samples);
    const double seconds = seconds_since(start);
    idle_turn_seconds_ = seconds / static_cast<double>(request.turns.size());
    elapsed_ += seconds;
    return sampled;
}

/// The side that has most calls to be judged in full, or -1. Where there is one, each batch has such a call, in a turn
/// that is drawn at random: no call is one that is never judged.
int Sampling::side_to_judge() const {
    int chosen = nobody;
    for (int side = 0; side < static_cast<int>(rotation_.sides().size()); ++side) {
        if (!watch_.must_judge(side)) continue;
        if (chosen == nobody || watch_.judged_calls(side) < watch_.judged_calls(chosen)) chosen = side;
    }
    return chosen;
}

/// The candidate that has fewest mixed calls judged, until all have enough; -1: none. Two are enough where the
/// reference takes long.
int Sampling::side_to_judge_mixed() const {
    if (!watch_.can_mix()) return nobody;
    int chosen = nobody, fewest = takes_long_to_judge() ? least_if_mixed : judged_if_mixed;
    for (int side = 1; side < static_cast<int>(rotation_.sides().size()); ++side) {
        if (watch_.judged_mixed_calls(side) >= fewest) continue;
        chosen = side;
        fewest = watch_.judged_mixed_calls(side);
    }
    return chosen;
}

bool Sampling::has_judged_enough() const {
    const int side = side_to_judge();
    const bool is_enough = side == nobody || watch_.judged_calls(side) >= judged_if_unknown;
    return is_enough && side_to_judge_mixed() == nobody;
}

/// A candidate whose mixed call is judged beyond those that must be, now and then; -1: none. So no kernel can know that
/// no mixed call is judged any more.
int Sampling::side_to_surprise() {
    const std::uint64_t one_of = takes_long_to_judge() ? 24 : 6;  // batches
    if (!watch_.can_mix() || random_() % one_of != 0) return nobody;
    return 1 + static_cast<int>(random_() % (rotation_.sides().size() - 1));
}

TimingFailure Sampling::sample_surprising() {
    const int side = side_to_surprise();
    return side == nobody ? sample() : sample_judging_mixed(side);
}

TimingFailure Sampling::sample_judging_mixed(int side) {
    const Clock::time_point start = Clock::now();
    const TimingFailure sampled = sample(side, OutputWatch::Judged::mixed);
    judging_seconds_ += seconds_since(start);
    return sampled;
}

TimingFailure Sampling::sample_batch(int number) {
    const int judged = side_to_judge(), mixed = side_to_judge_mixed();
    if (judged == nobody && mixed == nobody) return sample_surprising();
    const bool is_mixed_due = mixed != nobody && (judged == nobody || number % 2 == 0);
    return is_mixed_due ? sample_judging_mixed(mixed) : sample(judged);
}

}  // namespace kernelgen

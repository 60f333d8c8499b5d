// SPDX-License-Identifier: Apache-2.0
#include "core/bench/worker_clock.h"

#include <algorithm>
#include <cmath>

#include "core/measure/statistics.h"

namespace kernelgen {
namespace {

using SurroundedSamples = WorkerClock::SurroundedSamples;

constexpr double most_difference = 0.05;  ///< between the clocks, relative to the batch
constexpr double waking_seconds = 2e-3;   ///< until a thread that was woken is seen to wait for a processor
#if defined(KERNELGEN_SANITIZED)
constexpr double number_seconds = 2e-6;
#else
constexpr double number_seconds = 2e-7;  ///< until the executor has read or written a number
#endif
constexpr std::size_t least_batches = 6;  ///< of each kind, before they are compared
constexpr double long_enough = 0.02;      ///< seconds of a batch, in which its own cost is small
constexpr double most_hidden = 0.1;       ///< of a sample with what surrounds it
constexpr double arming_seconds = 50e-6;
constexpr double by_chance = 0.01;     ///< a difference of two kinds of batches that is more likely says nothing
constexpr double most_waiting = 0.05;  ///< of a batch: more may lie within told samples, and hide as much around them

std::vector<double> seconds_of(const std::vector<SurroundedSamples>& batches) {
    std::vector<double> seconds;
    for (const SurroundedSamples& batch : batches) seconds.push_back(batch.around_each);
    return seconds;
}

/// The median over all samples, not over batches: a kernel that is slow in many short batches hides as much in a few
/// long ones. `batches` must not be empty.
SurroundedSamples median(std::vector<SurroundedSamples> batches) {
    std::ranges::sort(batches, {}, &SurroundedSamples::around_each);
    std::size_t all = 0, seen = 0;
    for (const SurroundedSamples& batch : batches) all += batch.samples;
    for (const SurroundedSamples& batch : batches) {
        if (2 * (seen += batch.samples) >= all) return batch;
    }
    return batches.back();
}

}  // namespace

bool WorkerClock::agrees(const SampleRequest& request, const Samples& samples, int sets, Batch batch) {
    double told = samples.idle_seconds;
    std::size_t sampled = 0, nobody = 0;
    for (const std::vector<double>& side : samples.seconds) {
        for (const double each : side) told += each * sets;
        sampled += side.size();
    }
    for (const auto& turn : request.turns) nobody += turn.size();
    nobody -= sampled;
    if (request.turns.empty()) {
        empty_seconds_ = std::max(empty_seconds_, batch.seconds);
        return true;
    }
    const double numbers = static_cast<double>(sampled) * (20 + 2 * sets);  // a time is text, about as long as 20
    const double allowed = most_difference * batch.seconds + empty_seconds_ + waking_seconds + number_seconds * numbers;
    const double missing = batch.seconds - told - samples.outside_seconds;
    if (missing > allowed + batch.waited || missing < -allowed) return false;
    excused_seconds_ += std::max(0.0, missing - allowed);
    if (batch.seconds < long_enough || samples.discarded > 0 || request.capture) return true;
    const double around = batch.seconds - told;
    const auto surrounded = [&](std::size_t count) {
        const auto number = static_cast<double>(count);
        return SurroundedSamples{count, batch.seconds / number, around / number};
    };
    const bool hardly_waited = batch.waited <= most_waiting * batch.seconds;
    if (sampled > 0) {
        seconds_around_samples_ += around;
        samples_ += sampled;
        if (hardly_waited) of_samples_.push_back(surrounded(sampled));
    } else {
        const SurroundedSamples idle = surrounded(nobody);
        least_around_nothing_ = std::min(least_around_nothing_.value_or(idle.around_each), idle.around_each);
        if (hardly_waited) of_nothing_.push_back(idle);
    }
    return true;
}

double WorkerClock::unexplained_seconds() const {
    if (samples_ == 0) return 0;
    return std::max(0.0, seconds_around_samples_ / static_cast<double>(samples_) - least_around_nothing_.value_or(0));
}

WorkerClock::Hidden WorkerClock::hidden() const {
    if (of_samples_.size() < least_batches || of_nothing_.size() < least_batches) return Hidden::unknown;
    const SurroundedSamples sample = median(of_samples_), idle = median(of_nothing_);
    if (sample.around_each - idle.around_each <= most_hidden * sample.seconds_each + arming_seconds)
        return Hidden::nothing;
    const bool is_chance = mann_whitney_p(seconds_of(of_samples_), seconds_of(of_nothing_)) > by_chance;
    return is_chance ? Hidden::unknown : Hidden::something;
}

void WorkerClock::forget() {
    of_samples_.clear();
    of_nothing_.clear();
}

}  // namespace kernelgen

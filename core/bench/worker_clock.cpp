// SPDX-License-Identifier: Apache-2.0
#include "core/bench/worker_clock.h"

#include <algorithm>
#include <cmath>

#include "core/measure/statistics.h"

namespace kernelgen {
namespace {

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
constexpr double by_chance = 0.01;  ///< a difference of two kinds of batches that is more likely says nothing

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return quantile(values, 0.5);
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
    if (sampled > 0) {
        sample_seconds_.push_back(batch.seconds / static_cast<double>(sampled));
        around_samples_.push_back((batch.seconds - batch.waited - told) / static_cast<double>(sampled));
    } else {
        around_nothing_.push_back((batch.seconds - told) / static_cast<double>(nobody));
    }
    return true;
}

WorkerClock::Hidden WorkerClock::hidden() const {
    if (around_samples_.size() < least_batches || around_nothing_.size() < least_batches) return Hidden::unknown;
    const double difference = median(around_samples_) - median(around_nothing_);
    const bool is_small = difference <= most_hidden * median(sample_seconds_) + arming_seconds;
    const bool is_chance = mann_whitney_p(around_samples_, around_nothing_) > by_chance;
    return is_small || is_chance ? Hidden::nothing : Hidden::something;
}

void WorkerClock::forget() {
    sample_seconds_.clear();
    around_samples_.clear();
    around_nothing_.clear();
}

}  // namespace kernelgen

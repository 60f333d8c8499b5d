// SPDX-License-Identifier: Apache-2.0
#include "core/bench/worker_clock.h"

#include <algorithm>
#include <cmath>

#include "core/measure/statistics.h"

namespace kernelgen {
namespace {

constexpr double most_difference = 0.05;    ///< between the clocks, relative to the batch
constexpr double scheduling_seconds = 5e-3;  ///< until a process runs that was woken, on a machine that is busy
constexpr double number_seconds = 2e-6;     ///< until a number of a request or an answer is written and read
constexpr std::size_t least_batches = 5;    ///< of each kind, before they are compared
constexpr double long_enough = 0.03;  ///< seconds of a batch, in which its own cost is small
constexpr double most_hidden = 0.1;         ///< of a sample with what surrounds it
constexpr double arming_seconds = 50e-6;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return quantile(values, 0.5);
}

}  // namespace

bool WorkerClock::agrees(const SampleRequest& request, const Samples& samples, int sets, double seconds) {
    double told = 0;
    std::size_t sampled = 0, nobody = 0;
    for (const std::vector<double>& side : samples.seconds) {
        for (const double each : side) told += each * sets;
        sampled += side.size();
    }
    for (const auto& turn : request.turns) nobody += turn.size();
    nobody -= sampled;
    if (request.turns.empty()) {
        empty_seconds_ = std::max(empty_seconds_, seconds);
        return true;
    }
    const double numbers = static_cast<double>(sampled) * (2 + 2 * sets);
    const double allowed = most_difference * seconds + empty_seconds_ + scheduling_seconds + number_seconds * numbers;
    if (std::abs(seconds - told - samples.outside_seconds) > allowed) return false;
    if (seconds < long_enough) return true;
    if (sampled > 0) {
        sample_seconds_.push_back(seconds / static_cast<double>(sampled));
        around_samples_.push_back((seconds - told) / static_cast<double>(sampled));
    } else {
        around_nothing_.push_back(seconds / static_cast<double>(nobody));
    }
    return true;
}

bool WorkerClock::hides_nothing() const {
    if (around_samples_.size() < least_batches || around_nothing_.size() < least_batches) return true;
    const double hidden = median(around_samples_) - median(around_nothing_);
    return hidden <= most_hidden * median(sample_seconds_) + arming_seconds;
}

}  // namespace kernelgen

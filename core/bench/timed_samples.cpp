// SPDX-License-Identifier: Apache-2.0
#include "core/bench/timed_samples.h"

#include <algorithm>

#include "core/measure/metrics.h"

namespace kernelgen {

void TimedSamples::add(const Samples& samples, const Turns& turns) {
    for (std::size_t turn = 0; turn < turns.counted.size(); ++turn) {
        ++taken_;
        if (!turns.counted[turn]) continue;
        mixed_.push_back(turns.mixed[turn]);
        compared_.push_back(turns.compared[turn]);
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

void TimedSamples::clear() {
    for (std::vector<double>& side : seconds_) side.clear();
    mixed_.clear();
    compared_.clear();
}

void TimedSamples::keep_mixed() {
    for (std::vector<double>& side : seconds_) {
        std::vector<double> kept;
        for (std::size_t i = 0; i < mixed_.size(); ++i) {
            if (mixed_[i]) kept.push_back(side[i]);
        }
        side = std::move(kept);
    }
    mixed_.assign(mixed_count(), true);
    compared_.assign(mixed_.size(), true);
}

void TimedSamples::replace(std::vector<std::vector<double>> seconds) {
    seconds_ = std::move(seconds);
    mixed_.assign(seconds_.front().size(), false);
    compared_ = mixed_;
}

std::size_t TimedSamples::mixed_count() const { return static_cast<std::size_t>(std::ranges::count(mixed_, true)); }

std::vector<double> TimedSamples::of(int side, bool is_mixed) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < mixed_.size(); ++i) {
        if (compared_[i] && mixed_[i] == is_mixed) found.push_back(of(side)[i]);
    }
    return found;
}

}  // namespace kernelgen

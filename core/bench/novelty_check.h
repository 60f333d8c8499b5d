// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <stop_token>
#include <vector>

#include "core/bench/output_watch.h"
#include "core/bench/rotation.h"

namespace kernelgen {

/// Finds a side that takes longer on inputs that it has not seen: it would remember results.
class NoveltyCheck {
public:
    /// For each side, the seconds of its samples.
    using Times = std::vector<std::vector<double>>;

    /// All arguments must outlive it. `is_host`: threads of the sides may have to be woken.
    NoveltyCheck(Rotation& rotation, OutputWatch& watch, bool is_host, std::mt19937_64& random, std::stop_token stop)
        : rotation_(rotation), watch_(watch), is_host_(is_host), random_(random), stop_(std::move(stop)) {}

    /// `seconds`: what was sampled on inputs that stay the same. Failure: `mismatch` of the side that remembers. Asked
    /// twice, since a machine may be slower for a while. Afterwards the expected checksums of the watch are no longer
    /// valid.
    TimingFailure run(const Times& seconds);

private:
    enum class Waking { is_in_one, is_in_both };
    struct Finding {
        int slower = -1;        ///< a side; -1: none
        bool may_wake = false;  ///< a side took longer; the difference is small enough to be its threads' wake-up time
    };

    TimingFailure sample(Times& fresh, Times* again);
    TimingFailure sample_on(OutputWatch::Inputs inputs, int judged, Times& seconds);
    Finding compare(const Times& fresh, const Times& known, const std::vector<double>& undisturbed,
                    Waking waking) const;
    TimingFailure failure(int side, const Times& fresh, const Times& known) const;

    Rotation& rotation_;
    OutputWatch& watch_;
    bool is_host_;
    std::mt19937_64& random_;
    std::stop_token stop_;
};

}  // namespace kernelgen

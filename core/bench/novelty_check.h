// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <stop_token>
#include <vector>

#include "core/bench/output_watch.h"
#include "core/bench/rotation.h"

namespace kernelgen {

/// `mismatch` of a side that remembers results: it took `fresh` seconds on new inputs, and `known` ones on others.
TimingFailure remembers_inputs(const Side& side, int number, const std::vector<double>& fresh,
                               const std::vector<double>& known);

/// Finds a side that takes longer on inputs that it has not seen: it would remember results.
class NoveltyCheck {
public:
    /// For each side, the seconds of its samples.
    using Times = std::vector<std::vector<double>>;

    /// All arguments must outlive it. `is_host`: threads of the sides may have to be woken.
    NoveltyCheck(Rotation& rotation, OutputWatch& watch, bool is_host, std::mt19937_64& random, std::stop_token stop)
        : rotation_(rotation), watch_(watch), is_host_(is_host), random_(random), stop_(std::move(stop)) {}

    /// `seconds`: what was sampled on inputs that stay the same. Failure: `mismatch` of the side that remembers.
    /// Afterwards the expected checksums of the watch are no longer valid.
    TimingFailure run(const Times& seconds, bool warm_caches);
    /// Samples on new inputs, where only such count: a side took longer on them, by so little that branch predictors
    /// may explain it. Of a third of their turns a call was judged. Then the rotation has one set of buffers. Empty:
    /// all samples count.
    const Times& only_new() const { return only_new_; }

private:
    int slower_than_before(const Times& fresh, const Times& seconds) const;
    TimingFailure compare_rounds(const Times& seconds, Times& fresh);
    TimingFailure compare_with_before(Times fresh, const Times& seconds);
    TimingFailure sample_new();
    std::size_t least_rounds() const;
    bool is_asked(std::size_t side) const;
    TimingFailure sample_until_many(Times& fresh);
    TimingFailure sample_on(OutputWatch::Inputs inputs, Times& seconds);
    TimingFailure sample_turn(OutputWatch::Inputs inputs, int judged, Times& seconds);
    int draw_candidate();
    void judge_one_of(std::size_t turns);
    std::size_t many_inputs() const;
    TimingFailure failure(int side, const Times& fresh, const Times& known) const;
    double noticeable_seconds(std::size_t side, const Times& seconds) const;
    bool is_beyond_predictors(double longer_seconds) const;

    Rotation& rotation_;
    OutputWatch& watch_;
    bool is_host_;
    std::mt19937_64& random_;
    std::stop_token stop_;
    std::size_t turns_on_others_ = 0;  ///< so far
    std::size_t judged_turn_ = 0;      ///< the next of them in which a call is judged
    Times only_new_;
};

}  // namespace kernelgen

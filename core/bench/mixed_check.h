// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/bench/sampling.h"
#include "core/bench/slower.h"

namespace kernelgen {

/// Finds a side that takes longer in mixed calls, which no call was like, than in the others of the same batches: it
/// would remember results.
class MixedCheck {
public:
    /// All arguments but `stop` must outlive it. `budget_seconds`: of the timing.
    MixedCheck(Sampling& sampling, const Rotation& rotation, const OutputWatch& watch, bool is_host,
               double budget_seconds, std::stop_token stop)
        : sampling_(sampling),
          rotation_(rotation),
          watch_(watch),
          is_host_(is_host),
          budget_seconds_(budget_seconds),
          stop_(std::move(stop)) {}

    /// Samples on until it is known whether a side takes a tenth longer in mixed calls. Where that may be what branch
    /// predictors remember, or is not known, only mixed calls count, of which there are enough then.
    TimingFailure run();
    bool counts_only_mixed() const { return counts_only_mixed_; }

private:
    Slower is_slower_when_mixed(int side) const;
    bool is_beyond_predictors(int side) const;
    TimingFailure sample_mixed(double until);
    bool claims_speedup(int side) const;
    TimingFailure remembers(int side) const;

    Sampling& sampling_;
    TimedSamples& samples_ = sampling_.samples();
    const Rotation& rotation_;
    const OutputWatch& watch_;
    bool is_host_;
    double budget_seconds_;
    std::stop_token stop_;
    bool counts_only_mixed_ = false;
};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/whatif/timed_sample.h"

namespace kernelgen {

/// What a call spends its time on. Seconds; together they are the measured time without its tail.
struct TimeParts {
    double memory = 0;      ///< moving the definition's bytes
    double arithmetic = 0;  ///< its FLOPs and transcendental functions
    double own = 0;         ///< what the kernel's code adds: neither bytes nor FLOPs of the definition
    double starts = 0;      ///< starting launches and programs

    double sum() const { return memory + arithmetic + own + starts; }
};

/// Times of calls as a sum of what they do: seconds of bytes, FLOPs, functions and starts at the device's limits, each
/// times a coefficient, and for each kernel a share of its bytes' time for its own code. A linear regression on
/// relative errors with a normal prior for each coefficient (Bishop, "Pattern Recognition and Machine Learning",
/// section 3.3): what the rounds do not tell keeps the prior's value. No coefficient is below 0.
class TimeModel {
public:
    /// Fewer different timed cases than these tell nothing that the roofline does not.
    static constexpr std::size_t least_samples = 3;

    /// Makes a model of samples of one device and environment. Several samples of one kernel on one case count as their
    /// median.
    explicit TimeModel(std::vector<TimedSample> samples);

    /// Whether there were too few samples: parts are then those of the roofline, and what they leave is `own`.
    bool is_roofline_alone() const { return samples_.size() < least_samples; }
    std::size_t samples() const { return samples_.size(); }
    const std::vector<TimedSample>& all_samples() const { return samples_; }
    /// Root mean square of the logarithm of predicted over measured time, each sample predicted from all others; 0 for
    /// the roofline alone.
    double leave_one_out_error() const { return error_; }

    /// Seconds of a sample's call, as all samples tell it.
    double seconds(const TimedSample& sample) const;
    TimeParts parts(const TimedSample& sample) const;

private:
    void fit(std::span<const TimedSample> samples);
    double without_tail(const TimedSample& sample) const;
    std::vector<double> terms(const TimedSample& sample) const;

    std::vector<TimedSample> samples_;
    std::vector<std::string> kernels_;
    std::vector<double> coefficients_;  ///< of bytes, FLOPs, functions, starts, and each kernel's own code
    double error_ = 0;
};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scaling/amax_records.h"

namespace kernelgen {

/// How scales follow the amax of earlier steps.
struct DelayedRule {
    double smoothing = 0.99;  ///< share of the old average in the new one, from 0 to below 1
    double margin = 1.2;      ///< a scale fits margin × average
};

/// What was kept of a tensor's earlier steps.
struct AmaxHistory {
    std::int64_t steps = 0;
    double average = 0;            ///< exponential moving average of amax; the first amax begins it
    std::vector<double> channels;  ///< the same of each channel; empty where there are none
    std::vector<double> recent;    ///< amax of the last steps, at most `anomaly_steps`, the newest last

    bool operator==(const AmaxHistory&) const = default;
};

inline constexpr std::size_t anomaly_steps = 5;
inline constexpr double anomaly_factor = 10;

/// One step as the delayed scale met it.
struct DelayedStep {
    std::int64_t step = 0;
    double amax = 0;
    double covered = 0;       ///< the largest number that fitted: margin × the average before; in the first step amax
    bool is_first = false;    ///< no earlier step gave a scale
    bool is_clipped = false;  ///< amax > covered
    std::int64_t clipped_channels = 0;
    bool is_anomaly = false;  ///< amax > 10 × the mean of the last five
};

/// Tells what the scale from `history` would have done to the step, and takes the step into the history. A step without
/// anything but zeros changes no average, for it tells nothing of the scale that is needed.
DelayedStep observe(AmaxHistory& history, const AmaxStep& step, const DelayedRule& rule);

/// All steps of a tensor.
struct DelayedRun {
    std::vector<DelayedStep> steps;
    std::int64_t channels = 0;  ///< of each step; 0: only the tensor's amax is known
    double needed_margin = 1;   ///< with which no step but the anomalies would have been clipped

    std::int64_t judged() const;   ///< steps that had a scale from earlier ones
    std::int64_t clipped() const;  ///< of these
    std::int64_t anomalies() const;
    double clip_ratio() const;          ///< share of the judged steps
    double channel_clip_ratio() const;  ///< the same of all channels in all judged steps
};

DelayedRun follow(AmaxHistory& history, const std::vector<AmaxStep>& steps, const DelayedRule& rule);

}  // namespace kernelgen

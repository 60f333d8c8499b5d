// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measure/metrics.h"
#include "core/verify/result.h"

namespace kernelgen {

/// How accurate a case is: of each number the worst of its checks.
struct GatedAccuracy {
    double p99_error = 0, kl_divergence = 0, clip_ratio = 0;

    bool operator==(const GatedAccuracy&) const = default;
};

/// The largest numbers that pass; nothing: what is stored, and a little more.
struct AccuracyLimits {
    std::optional<double> p99_error, kl_divergence, clip_ratio;

    bool operator==(const AccuracyLimits&) const = default;
};

/// One of the numbers of a case's accuracy. The larger, the worse.
struct AccuracyMeasure {
    const Metric& metric;
    std::string key, limit_key;  ///< in gate.json and gate.jsonl
    double ErrorMetrics::* of_check;
    double GatedAccuracy::* value;
    std::optional<double> AccuracyLimits::* limit;
    double noticeable;  ///< what it may grow by in any case
};

std::span<const AccuracyMeasure> accuracy_measures();

GatedAccuracy accuracy_of(const VerifyResult& verified, const Case& binding);

/// The keys of the numbers that are over their limits. Where no limit is stored, a number may grow by a tenth.
std::vector<std::string> worse_in(const GatedAccuracy& now, const GatedAccuracy& then, const AccuracyLimits& limits);

/// The limits that `worse_in` uses: the stored ones, and for the others what the stored numbers may grow to.
AccuracyLimits limits_in_use(const GatedAccuracy& then, const AccuracyLimits& limits);

}  // namespace kernelgen

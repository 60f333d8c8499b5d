// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/verify/result.h"
#include "core/verify/value_histogram.h"

namespace kernelgen {

/// Collects the errors of elements. Each thread has one; they are merged at the end.
class ErrorStatistics {
public:
    /// `expected` is finite. Where `actual` is not, the error is infinite, and counts in max, mean and the last bin.
    void add(double expected, double actual);
    /// The same for many elements, faster where they are equal.
    void add_all(std::span<const double> expected, std::span<const double> actual);
    /// Counts an element without an error to measure: NaN or infinite as in the reference (no error), or excluded.
    void add_not_finite(bool matches);
    void add_excluded();
    /// Counts one of these elements as clipped, beside what else it counts as.
    void add_clipped() { ++clipped_; }
    void merge(const ErrorStatistics& other);

    /// All fields except `mismatches`. Quantiles and the edges of the histogram's bins are within 1 % (64 bins for each
    /// octave, from 2^-192 to 2^192).
    ErrorMetrics metrics() const;

private:
    void add_error(double expected, double error);
    double quantile(double share) const;

    std::int64_t elements_ = 0, measured_ = 0, excluded_ = 0, exact_ = 0, relative_ = 0, clipped_ = 0;
    double max_absolute_ = 0, sum_absolute_ = 0, max_relative_ = 0, sum_relative_ = 0;
    std::vector<std::int64_t> bins_;
    ValueHistogram values_;
};

}  // namespace kernelgen

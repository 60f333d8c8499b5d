// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace kernelgen {

/// Quantiles are linear between order statistics (type 7 of Hyndman & Fan 1996). Times are in seconds.
struct Summary {
    int samples = 0;
    double min = 0, p50 = 0, p90 = 0, p99 = 0, mean = 0;
    double standard_deviation = 0;           ///< of the sample (n − 1)
    double relative_standard_deviation = 0;  ///< RSD, as a fraction of the mean
    int outliers = 0;                        ///< beyond 1.5 IQR of the quartiles (Tukey 1977)
};

/// Baseline time over candidate time.
struct Speedup {
    double median = 0;            ///< of the pairs' ratios
    double lower = 0, upper = 0;  ///< 95 % interval of that median, by percentile bootstrap over pairs
    double ratio_of_medians = 0;
    double p_value = 1;  ///< two-sided Mann-Whitney U, normal approximation with tie correction
    int pairs = 0;
};

Summary summarise(std::span<const double> samples);
double quantile(std::span<const double> sorted, double q);
double lower_quartile(std::span<const double> samples);

/// `candidate` and `baseline` are of the same pairs, in order. `seed` makes the bootstrap repeatable.
Speedup speedup_of(std::span<const double> candidate, std::span<const double> baseline, std::uint64_t seed = 1);

double mann_whitney_p(std::span<const double> a, std::span<const double> b);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace kernelgen {

/// Pairs of batches of the same calls in two places, one right after the other: what disturbs the machine for a while
/// disturbs both. Each pair gives a ratio; what they say together is decided by the interval of their median.
class Alternations {
public:
    /// By what the calls may take longer in the second place: this many times, and as many seconds.
    struct Limit {
        double ratio = 1, seconds = 0;
    };
    enum class Longer { no, yes, unknown };

    /// Seconds of the calls of one pair of batches; neither may be empty.
    void add(std::span<const double> first, std::span<const double> second);
    void forget();
    int pairs() const { return static_cast<int>(first_.size()); }
    /// Whether the calls take longer in the second place than the limit allows. Unknown while there are few pairs, and
    /// while the limit is within the 95 % interval of the ratio.
    Longer longer(Limit limit) const;

private:
    std::vector<double> first_, second_;  ///< medians of batches
};

}  // namespace kernelgen

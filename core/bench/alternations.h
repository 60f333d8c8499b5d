// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace kernelgen {

/// Pairs of batches of the same calls in two processes, one right after the other: what disturbs the machine for a
/// while disturbs both. Each pair gives a ratio, second over first; the interval of their median decides.
class Alternations {
public:
    /// How much slower the second process may be: a factor, and an additional time in seconds.
    struct Limit {
        double ratio = 1, seconds = 0;
    };
    enum class Longer { no, yes, unknown };

    /// Seconds of the calls of one pair of batches; neither may be empty.
    void add(std::span<const double> first, std::span<const double> second);
    void forget();
    int pairs() const { return static_cast<int>(first_.size()); }
    /// Whether the calls take longer in the second process than the limit allows. Unknown while there are few pairs,
    /// and while the limit is within the 95 % interval of the ratio.
    Longer longer(Limit limit) const;

private:
    std::vector<double> first_, second_;  ///< medians of batches
};

}  // namespace kernelgen

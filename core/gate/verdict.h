// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/measure/statistics.h"

namespace kernelgen {

/// What a gate says of a case against its stored baseline.
enum class Verdict {
    same,       ///< the interval of the ratio is within the threshold
    faster,     ///< by more than the threshold, and the interval excludes 1
    slower,     ///< likewise
    ambiguous,  ///< none of these can be said
};

std::string_view to_string(Verdict verdict);
std::optional<Verdict> parse_verdict(std::string_view name);

/// A stored time over the present time: below 1 is slower than before.
struct Ratio {
    double median = 1, lower = 1, upper = 1;  ///< with its 95 % interval
};

/// `threshold` is the smallest change that counts, as a share: 0.015 is 1.5 %.
Verdict judge_pairs(const Ratio& ratio, double threshold);

/// The same for a ratio of two speedups that were measured at different times. Under 5 % such a ratio is neither slower
/// nor faster: machines drift by that much from one day to the next.
Verdict judge_archived(const Ratio& ratio, double threshold);

inline constexpr double archived_limit = 0.05;

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernelgen {

/// The smallest change of a time that counts, and where it comes from.
struct Threshold {
    double share = 0.015;
    std::string from = "default";  ///< "given", "stored", "learned", "default"
};

inline constexpr double default_threshold = 0.015;
/// A learned threshold needs that many earlier checks, and is within these limits.
inline constexpr std::size_t checks_to_learn = 5;
inline constexpr double least_learned = 0.005, most_learned = 0.05;

/// Mean + 3 standard deviations (of the sample) of the changes that earlier checks measured where nothing had changed:
/// |ratio - 1| of each. The default where there are fewer than five.
Threshold learned_threshold(const std::vector<double>& changes);

}  // namespace kernelgen

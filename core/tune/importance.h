// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen {

/// How much the tunables matter in what a tuning has tried, by an analysis of variance: the logarithm of the objective
/// is fitted as a sum of effects, one for each value of each tunable (least squares, each effect drawn towards zero as
/// by one configuration more). The share of a tunable is the part of the logarithm's variance that the fit loses
/// without it. Effects that tunables have only together are in no share. Configurations that failed are left out.
struct Importance {
    struct OfTunable {
        std::string name;
        double share = 0;  ///< of the variance, 0 … 1
    };
    std::vector<OfTunable> tunables;  ///< those of which several values succeeded, the largest share first
    double explained = 0;             ///< of the variance, by all together
    std::size_t configurations = 0;   ///< that succeeded
};

/// Nothing where fewer than ten configurations succeeded, or all are equally good.
std::optional<Importance> importance_of(const Tuning& tuning);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "core/lang/accumulation.h"

namespace kernelgen {

/// What a sum of `depth` products may be off by where they are added coarsely. Sums of so many products are cut at
/// their own size; those of one sign lose what is cut together. `magnitude` is the sum of the absolute products,
/// `product` at least the largest of them.
inline double error_of_coarse_sum(const AccumulationError& of, double depth, double sum, double magnitude,
                                  double product) {
    const double share = std::min(1.0, of.products / depth), group = share * magnitude;
    const double sums = std::min(group, std::max(share * std::abs(sum), std::sqrt(product * group)));
    const double cut = std::min(depth, of.products) / 16;
    return of.unit * (std::sqrt(depth) * sums + cut * std::abs(sum));
}

}  // namespace kernelgen

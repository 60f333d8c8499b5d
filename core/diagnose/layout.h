// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/diagnose/access_cost.h"
#include "core/diagnose/followed_launch.h"

namespace kernelgen {

/// The matrix of a tensor's last two axes, each with all axes before it as more rows.
struct MatrixOf {
    std::string tensor;
    std::int64_t rows = 0, columns = 0;
    int element_bytes = 4;
};

/// The cost of a kernel's accesses to a tensor, after each address of it was replaced.
using CostWith = std::function<AccessCost(const std::string& tensor, const std::function<std::int64_t(std::int64_t)>&)>;

/// Other layouts of the inputs that are read badly: columns first, and tiles of 32 × 32 elements, where the accesses
/// cost less in them by a quarter or more. Converting reads and writes the tensor once at the rate of a copy. The time
/// saved is at most the share of the cost saved, and never more than the headroom.
std::vector<LayoutAdvice> layouts_of(const RoundDetail& detail, const Evidence& evidence, const CostWith& cost);

}  // namespace kernelgen

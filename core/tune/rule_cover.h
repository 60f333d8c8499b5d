// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/lang/operator.h"

namespace kernelgen {

/// What each of several options, such as configurations or variants, costs on each of several cases.
struct OptionCosts {
    std::vector<Case> cases;
    /// For each case and option: the share by which the option is slower than the best one on the case (0.01 is 1 %);
    /// nothing: not known.
    std::vector<std::vector<std::optional<double>>> losses;
};

/// A rule, or with an empty condition what counts where no rule holds; and the cases (by place) on which it counts.
struct CoverRule {
    std::string when;
    std::size_t option = 0;
    std::vector<std::size_t> cases;
};

/// The shortest list of rules, of which the first that holds counts, by which no case loses more than `allowed`; the
/// last one has no condition. A condition compares one symbol with a number between two cases' sizes or `dtype_bytes`
/// with that of a case, or joins such comparisons by `and` where fewer rules result. `symbols`: of the definition, in
/// order; the later are preferred. `otherwise`: the option that must count where no rule holds, on one case at least.
/// For more than ten cases the list is short, but may not be the shortest. Nothing where the sizes do not tell apart
/// the cases that need different options, or too little is known.
std::optional<std::vector<CoverRule>> cover(const OptionCosts& costs, const std::vector<std::string>& symbols,
                                            double allowed, std::optional<std::size_t> otherwise = {});

/// The power of two that is nearest to the geometric middle of two sizes, or that middle where no power of two `t` has
/// lower ≤ t < upper.
std::int64_t threshold_between(std::int64_t lower, std::int64_t upper);

}  // namespace kernelgen

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/charts/catalogue.h"

namespace kernelgen::studio {

/// The rounds of one case that may be joined, ascending in number.
struct SpeedupLine {
    int binding = 0;
    int group = 0;
    std::vector<Timing> points;
};

/// A target speedup and the first round to which it applies.
struct TargetStep {
    int round = 0;
    double speedup = 1;
};

struct SpeedupData {
    Catalogue catalogue;
    std::vector<SpeedupLine> lines;    ///< by case, then group
    std::vector<const Round*> failed;  ///< rounds whose status is not ok
    std::vector<TargetStep> targets;   ///< one for each change of the target
    int first_round = 0, last_round = 0;

    bool empty() const { return lines.empty() && failed.empty(); }
};

/// Refers to `history`, which must outlive it.
SpeedupData speedupData(const History& history);

}  // namespace kernelgen::studio

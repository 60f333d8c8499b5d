// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/round/comparison.h"

namespace kernelgen::studio {

/// The result of one variant in one case of a comparison. Speedups are over the comparison's baseline, with 95 %
/// intervals.
struct ComparedCase {
    QString variant;
    Status status = Status::ok;
    Said reason;                 ///< of a status that is not ok
    std::vector<Said> warnings;  ///< of the variant, in any case
    Configuration configuration;
    bool is_baseline = false;
    double seconds = 0;  ///< the median of a call
    double speedup = 0, speedup_lower = 0, speedup_upper = 0;
    double bandwidth_gbps = 0;
    double fraction = 0;  ///< of the roofline; 0 where it is unknown
    QString noise;        ///< why the speedup is not sure, or ""

    bool isTimed() const { return seconds > 0 && speedup > 0; }
};

/// All variants in the case at `place`, in the comparison's order.
std::vector<ComparedCase> comparedCases(const Comparison& comparison, std::size_t place);

/// The same, with the highest speedup first and variants without a time last.
std::vector<ComparedCase> fastestFirst(std::vector<ComparedCase> cases);

/// Where and when it was made: "cpu (hardware), all against naive, 1/2/26 3:04 AM".
QString describe(const Comparison& comparison);

}  // namespace kernelgen::studio

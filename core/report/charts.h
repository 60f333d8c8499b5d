// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/measure/ceilings.h"
#include "core/report/phrases.h"
#include "core/round/history.h"

namespace kernelgen {

/// A drawn chart with its title.
struct Chart {
    std::string title, svg;
};

/// Speedup over the rounds of a device, with intervals and target: a line for each case and each group of rounds that
/// may be compared. Rounds that failed are crosses. Nothing where no round was timed there.
std::optional<Chart> speedup_chart(const History& history, const std::string& device, const Phrases& say);

/// The timed rounds of a device under its ceilings, with arrows from each round of a case to the next one that may be
/// compared. Nothing where ceilings or arithmetic are missing.
std::optional<Chart> roofline_chart(const History& history, const std::string& device, const Ceilings& ceilings,
                                    const Phrases& say);

/// Absolute errors of a check: how many elements have one of that size, and the share that has a smaller one. Nothing
/// where every element is exact.
std::optional<Chart> error_chart(const CaseAccuracy& check, const Phrases& say);

}  // namespace kernelgen

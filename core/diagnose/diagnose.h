// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/diagnose/finding.h"
#include "core/diagnose/rule.h"
#include "core/round/record.h"

namespace kernelgen {

/// All that a recorded round tells of one of its timed cases: timing, counters, roofline and builds, and what source,
/// launch and definition tell without running.
Evidence evidence_of(const RoundDetail& detail, const Case& binding);

/// A cause that could gain less is left out: copies of one size differ by as much.
inline constexpr double least_gain = 1.03;

/// Applies the rules to evidence. `most_gain` is never above `headroom`: what the whole kernel could gain by the
/// roofline.
Diagnosis diagnose(Evidence evidence, std::span<const Rule> rules);

/// The timed cases of a round, each with its diagnosis, in the round's order.
std::vector<Diagnosis> diagnose(const RoundDetail& detail, std::span<const Rule> rules);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/diagnose/access_cost.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/followed_launch.h"

namespace kernelgen {

/// What a C++ or CUDA source tells of its accesses without running: how the addresses of neighbouring threads,
/// iterations and programs lie. Where the source cannot be followed, the reason is noted for these metrics.
void put_accesses(const RoundDetail& detail, const Case& binding, const LaunchPlan& plan, Evidence& evidence);

/// Notes how a launch on a GPU accesses memory: sectors of a warp's accesses, bank conflicts, threads with work, other
/// layouts.
void put_warp(const RoundDetail& detail, const FollowedLaunch& launch, Evidence& evidence);

/// Notes how a launch on a CPU, whose first program is `first`, accesses memory: use of cache lines in inner loops,
/// lines that several threads write, other layouts.
void put_lines(const RoundDetail& detail, const FollowedLaunch& launch, const Trace& first, double cache_bytes,
               Evidence& evidence);

/// The lines of the source of a cost, each once.
std::vector<SourcePlace> places_of(const std::string& file, const AccessCost& cost);

/// Replaces the addresses of a tensor, as if it had another layout.
void replace_addresses(Trace& trace, const std::string& tensor, const std::function<std::int64_t(std::int64_t)>& place);

}  // namespace kernelgen

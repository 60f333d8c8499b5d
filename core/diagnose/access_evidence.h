// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"
#include "core/diagnose/followed_launch.h"

namespace kernelgen {

/// What a C++ or CUDA source tells of its accesses without running: how the addresses of neighbouring threads,
/// iterations and programs lie. Where the source cannot be followed, the reason is noted for these metrics.
void put_accesses(const RoundDetail& detail, const Case& binding, const LaunchPlan& plan, Evidence& evidence);

/// Of a launch on a GPU: sectors of a warp's accesses, bank conflicts, threads with work.
void put_warp(const FollowedLaunch& launch, const std::string& file, Evidence& evidence);

/// Of a launch on a CPU: use of cache lines in inner loops, lines that several threads write.
void put_lines(const FollowedLaunch& launch, const std::string& file, int threads, double cache_bytes, Evidence& evidence);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/latency_hiding.h"

#include <algorithm>
#include <cmath>

#include "core/diagnose/diagnose.h"

namespace kernelgen {

namespace {

/// Fitted to timings of held-back kernels on an H200 (docs/WHATIF.md).
constexpr double memory_seconds = 0.68e-6;

}  // namespace

double LatencyHiding::left(double warps_share, double times_needed) const {
    if (!(bytes > 0) || !(needed > 0)) return std::min(1.0, warps_share);
    const double now = times_needed * needed / bytes, then = now / warps_share;
    return std::min(1.0, std::sqrt((1 + now * now) / (1 + then * then)));
}

LatencyHiding latency_hiding(const RoundDetail& round, const Case& binding, double programs,
                             const Residency& residency) {
    LatencyHiding found;
    const Validated<Body> body = analyse(round.definition);
    if (!body || programs <= 0 || round.environment.multiprocessors <= 0) return found;
    const double moved = analyse_case(round.definition, *body, binding).bytes() / programs;
    const double held = residency.register_bytes > 0 ? std::min(moved, residency.register_bytes) : moved;
    const double busy = body->has_reductions() ? 0.5 : 1;
    const double bandwidth = round.ceilings.all_threads.back().copy_gbps * 1e9;
    found.bytes = residency.now / residency.block_warps * held * busy;
    found.needed = bandwidth / round.environment.multiprocessors * memory_seconds;
    return found;
}

}  // namespace kernelgen

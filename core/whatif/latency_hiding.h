// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/round/record.h"

namespace kernelgen {

/// What a GPU's multiprocessor holds of a round's kernel.
struct Residency {
    double now = 0, then = 0;   ///< warps; then: on the other device
    std::string limiter;        ///< of that number: "registers", "shared memory", "threads", "blocks"
    double block_warps = 1;     ///< of each block
    double register_bytes = 0;  ///< of each block
};

/// While a warp waits for the memory, others work. A multiprocessor that has `bytes` on their way reaches
///
///   speed = 1 / sqrt(1 + (needed / bytes)^2)
///
/// of its full speed: in proportion to `bytes` where these are few (Little's law), and nearly all where they are many.
/// `needed` is the multiprocessor's share of the bandwidth times the time that the memory takes.
struct LatencyHiding {
    double bytes = 0;   ///< on their way in a multiprocessor, with the warps that it holds now
    double needed = 0;  ///< bytes

    /// The speed that is left with this share of the warps; `times_needed` times as many bytes being needed.
    double left(double warps_share, double times_needed = 1) const;
};

/// Of a round's kernel in one case. A block has on its way what it reads and writes of the definition's bytes, as far
/// as its registers hold it; half of that where the body has row reductions, during which nothing is on its way.
LatencyHiding latency_hiding(const RoundDetail& round, const Case& binding, double programs,
                             const Residency& residency);

}  // namespace kernelgen

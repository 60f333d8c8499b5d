// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"
#include "core/measure/metrics.h"

namespace kernelgen {

/// Metrics that only hardware counters tell.
inline constexpr Metric counter_metrics[] = {
    metrics::cache_hit_rate,     metrics::dram_read_bytes,           metrics::dram_write_bytes,  metrics::traffic_ratio,
    metrics::achieved_occupancy, metrics::multiprocessor_utilisation};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"
#include "core/measure/metrics.h"

namespace kernelgen {

/// Metrics that only hardware counters tell.
inline constexpr Metric counter_metrics[] = {metrics::cache_hit_rate,     metrics::dram_read_bytes,
                                             metrics::dram_write_bytes,   metrics::traffic_ratio,
                                             metrics::achieved_occupancy, metrics::multiprocessor_utilisation};

/// Metrics that only a build tells.
inline constexpr Metric build_metrics[] = {
    metrics::occupancy,         metrics::spill_bytes,       metrics::vector_loops,  metrics::scalar_loops,
    metrics::chained_loops,     metrics::double_operations, metrics::library_calls, metrics::integer_divisions,
    metrics::atomic_operations, metrics::local_accesses,    metrics::load_bytes};

/// Metrics that only the accesses tell, as the source states them.
inline constexpr Metric source_metrics[] = {
    metrics::sectors_ratio,     metrics::bank_conflict_ways, metrics::busy_threads,
    metrics::line_use,          metrics::shared_line_share,  metrics::program_step_bytes,
    metrics::program_imbalance, metrics::loads_per_element,  metrics::reread_bytes};

}  // namespace kernelgen

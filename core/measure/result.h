// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/lang/operator.h"
#include "core/measure/statistics.h"

namespace kernelgen {

/// Hardware counters of the candidate, in an extra call; or the reason why there are none.
struct Counters {
    std::optional<double> cache_hit_rate;  ///< hits over references of the last-level cache, 0 … 1
    Said reason;                           ///< why there is no hit rate
    /// Counted on an accelerator, for one call with cold caches: "dram_read_bytes", "dram_write_bytes"; and as shares 0
    /// … 1 "achieved_occupancy", "multiprocessor_utilisation", "tensor_utilisation".
    std::map<std::string, double> values;
};

/// The timing of one case: candidate against baseline, interleaved in one run.
struct BenchResult {
    Status status = Status::ok;
    Said reason;
    Case binding;
    std::string baseline;                   ///< variant
    std::vector<double> candidate_seconds;  ///< raw samples: seconds of one call, one for each pair
    std::vector<double> baseline_seconds;
    Summary candidate;
    Summary baseline_summary;
    Speedup speedup;
    std::string ended_by;             ///< "interval" or "budget"
    int repeats = 1;                  ///< calls within a sample
    int checked_calls = 0;            ///< timed calls of both sides whose outputs were judged in full
    std::int64_t compared_calls = 0;  ///< timed calls whose outputs were compared by checksums
    double tail_waste = 0;            ///< share of the threads' time lost to the last, partial wave of programs
    double workspace_bytes = 0;       ///< scratch memory that the launches of a call of the candidate share
    Counters counters;
    /// The state of an accelerator while it was timed: "sm_clock_mhz", "memory_clock_mhz", "temperature_c", "power_w",
    /// "energy_j" (of all samples, with what prepares them).
    std::map<std::string, double> conditions;
    std::vector<Said> warnings;  ///< RSD over 5 %, memory that grows, implausible bandwidth
};

nlohmann::json to_json(const BenchResult& result);
BenchResult bench_result_from_json(const nlohmann::json& json);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/bench/bench.h"

namespace kernelgen {

/// Kernels to be timed on a device from which a part was taken, in pairs with one on the whole device. Other parts of a
/// GPU than its bandwidth are taken by the candidates themselves, of which fewer blocks fit.
struct HamperRequest {
    BenchRequest sides;    ///< `baseline`: on the whole device; the candidates: on the hampered one
    double bandwidth = 1;  ///< share of the memory bandwidth that a neighbour is to leave; 1: there is no neighbour
    int threads = 0;       ///< that the hampered CPU has, and so the candidates' launches; 0: all
};

/// Means of batches, one on the whole device and one on the hampered one right after or before it. Seconds of a call.
struct PairedSeconds {
    std::vector<double> whole, hampered;

    /// How many times as long it takes hampered: the median of the pairs, with its 95 % interval.
    Speedup slow_down() const { return speedup_of(whole, hampered); }
};

/// The neighbour that took bandwidth.
struct NeighbourUse {
    int threads = 0;                 ///< of a CPU; 0: there was none, or it was a GPU's
    bool shares_processors = false;  ///< whether it ran on the kernel's CPUs, whose arithmetic it then took as well
    double duty = 0;  ///< share of a CPU's time for which it worked; of a GPU: of the probe's bandwidth that it fetched
    double gbps = 0;  ///< that it read and wrote beside the probe; of a GPU: that it was to fetch
};

struct HamperResult {
    Status status = Status::ok;
    Said reason;
    std::vector<PairedSeconds> candidates;  ///< in order; `whole` is the baseline's
    /// Times of the kernels of resources/ceilings that only move bytes, or only compute. The share of bandwidth or
    /// arithmetic that was left is the inverse of their slow-down. Empty where there was no neighbour on a GPU.
    PairedSeconds memory, arithmetic;
    double memory_bytes = 0;  ///< of a call of the first of these
    NeighbourUse neighbour;
    double busy_by_others = 0;  ///< share of all processors' time that other programs used meanwhile

    double bandwidth_left() const { return 1 / memory.slow_down().median; }
    double arithmetic_left() const { return 1 / arithmetic.slow_down().median; }
};

/// Adjusts the neighbour until it leaves about the wished share, then times the pairs until the slow-downs' intervals
/// are narrow or `performance.budget_seconds` for each side are spent. Where no bandwidth is taken on a GPU, the sides
/// are timed as in a run (bench.h). All sides must have been verified. Never throws.
HamperResult time_hampered(const HamperRequest& request, Backend& backend, const Progress& progress,
                           std::stop_token stop);

nlohmann::json to_json(const HamperResult& result);
HamperResult hamper_result_from_json(const nlohmann::json& json);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/measure/result.h"
#include "core/project/project.h"

namespace kernelgen {

class ReferenceCache;

/// One case to be timed. All sides must have been verified on it with the same text and configuration.
struct BenchRequest {
    Operator definition;
    Case binding;
    Accuracy accuracy;
    Performance performance;
    std::vector<Implementation> candidates;  ///< at least one; they take part in one rotation
    Implementation baseline;
    std::optional<Implementation> reference = {};  ///< family `custom`: the variant that judges
    std::string device = "cpu";
    double timeout_seconds = 30;
    ReferenceCache* references = nullptr;  ///< shared with other requests of this process; null: one of its own
    bool counters = true;                  ///< whether hardware counters are read, in a launch after the timed ones
};

/// Times the candidates and the baseline in turns of random order, under the device's lock, as docs/TIMING.md says, and
/// holds the outputs of every timed call against what is known to be right. The results are the candidates', in order:
/// the pairs of each with the baseline's call of the same turn. A candidate that fails has its status; the others are
/// then timed without it. Never throws.
std::vector<BenchResult> bench(const BenchRequest& request, Backend& backend, const Progress& progress,
                               std::stop_token stop);

}  // namespace kernelgen

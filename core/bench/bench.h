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

/// One case to time. All sides must have been verified on it with the same text and configuration.
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
    bool counters = true;  ///< whether hardware counters are read, in a launch after the timed ones
};

/// Times the candidates and the baseline in turns of random order, under the device's lock, and checks the outputs of
/// every timed call, as docs/TIMING.md says. Returns one result for each candidate, in order; its pairs are the
/// candidate's and the baseline's call of the same turn. A candidate that fails has its status; the other candidates
/// are then timed without it. Never throws.
std::vector<BenchResult> bench(const BenchRequest& request, Backend& backend, const Progress& progress,
                               std::stop_token stop);

}  // namespace kernelgen

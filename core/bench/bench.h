// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "core/measure/result.h"
#include "core/project/project.h"

namespace kernelgen {

/// One case to be timed. Both sides must have been verified on it with the same text and configuration.
struct BenchRequest {
    Operator definition;
    Case binding;
    Accuracy accuracy;
    Performance performance;
    Implementation candidate;
    Implementation baseline;
    std::optional<Implementation> reference = {};  ///< family `custom`: the variant that judges
    std::string device = "cpu";
    double timeout_seconds = 30;
    bool counters = true;  ///< whether hardware counters are read, in a launch after the timed ones
};

/// Times candidate against baseline in interleaved pairs as DESIGN's "Performance" says, under the device's lock, and
/// judges the outputs of randomly chosen timed calls. Never throws.
BenchResult bench(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen

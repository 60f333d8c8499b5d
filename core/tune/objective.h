// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace kernelgen {

/// The costs of a configuration, as multiples of the incumbent's.
struct CostRatios {
    double time = 1, memory = 1, energy = 1;
};

/// What a tuning minimises: the weights of time, memory and energy, which together are 1.
struct Objective {
    double time = 1, memory = 0, energy = 0;

    bool is_time() const { return memory == 0 && energy == 0; }
    /// 1 for the incumbent itself.
    double score(const CostRatios& costs) const {
        return time * costs.time + memory * costs.memory + energy * costs.energy;
    }
};

/// "time", "memory", "energy", or a weighting, "0.6 time 0.4 memory", whose weights are divided by their sum. Errors:
/// an unknown word, with a suggestion; a weight that is no number of 0 or more.
Result<Objective> parse_objective(std::string_view text);
std::string to_string(const Objective& objective);

}  // namespace kernelgen

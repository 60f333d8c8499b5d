// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/tune/searcher.h"

namespace kernelgen {

/// Plays a searcher on a space whose times are known: it asks for one configuration after the other, and is told what
/// was recorded of it. A configuration that the recording lacks counts as failed.
class Simulation {
public:
    /// `recorded`: at most one trial of each configuration of the space.
    Simulation(const TuningSpace& space, const std::vector<Trial>& recorded);

    /// At most `evaluations` trials, in the order of asking.
    std::vector<Trial> play(Searcher& searcher, std::size_t evaluations) const;

    std::optional<double> optimum() const;  ///< the least time that is recorded

private:
    std::vector<Trial> all_;  ///< of the space, in its order
};

/// The trial with the least time; nothing where all failed.
std::optional<Trial> best_of(const std::vector<Trial>& trials);

}  // namespace kernelgen

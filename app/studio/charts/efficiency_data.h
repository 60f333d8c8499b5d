// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>

#include "app/studio/charts/catalogue.h"

namespace kernelgen::studio {

/// A case at its size. Rounds live as long as the history and the reference that they are of.
struct EfficiencyPoint {
    Timing timing;
    double bytes = 0;
    double value = 0;  ///< fraction of the roofline or, where that is unknown, GB/s
};

struct EfficiencyData {
    bool is_fraction = true;
    std::map<DType, std::vector<EfficiencyPoint>> reference;  ///< the reference round's cases, ascending in bytes
    std::vector<EfficiencyPoint> others;  ///< the newest comparable round of every other configuration
    int configurations = 0;               ///< in `others`
    std::optional<EfficiencyPoint> best;  ///< the highest of all

    bool empty() const { return reference.empty(); }
};

/// The share of the device that a round uses, by size of the case, beside comparable rounds of the same variant. Refers
/// to both arguments, which must outlive it.
EfficiencyData efficiencyData(const History& history, const Round& reference);

}  // namespace kernelgen::studio

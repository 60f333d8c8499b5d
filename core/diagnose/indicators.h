// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/diagnose/evidence.h"

namespace kernelgen {

/// A number of a kernel against its goal.
struct Indicator {
    std::string name;             ///< of a metric
    std::optional<double> value;  ///< nothing: not measured
    Said reason;                  ///< why it was not measured
    double goal = 0;              ///< the value that it should exceed
    /// Of the speedup: where its interval begins, which decides, as it does on a round's target.
    std::optional<double> lower;
    /// The most that any change within the operator can reach, where that is known and is not above the goal.
    std::optional<double> reachable;

    bool reached() const { return lower ? *lower >= goal : value && *value > goal; }
};

/// Speedup against the round's target, then the metrics of `goals`.
std::vector<Indicator> indicators_of(const Evidence& evidence, double target_speedup,
                                     const std::map<std::string, double>& goals);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace kernelgen {

/// The objective, where it is positive and finite.
std::optional<double> usable(const std::optional<double>& objective);

/// Objectives as the model learns them. They are logarithms: a change multiplies a kernel's time, whatever the time is.
/// Those far from the best are drawn together: how slow a slow kernel is says nothing about the best. A failure counts
/// as the slowest one.
class ObjectiveScale {
public:
    explicit ObjectiveScale(const std::vector<std::optional<double>>& objectives);
    double of(const std::optional<double>& objective) const;

private:
    double slowest_ = 0;  ///< logarithms
    double bend_ = 0;
};

}  // namespace kernelgen

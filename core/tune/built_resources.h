// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <map>
#include <string>

namespace kernelgen {

/// What the builds of a search take (registers, spills, occupancy), as further features of all configurations of a
/// pool. A configuration that was built has its own value. For the others a regression of the logarithms on their
/// features predicts it: registers change smoothly with the features, and times change in steps with the registers.
class BuiltResources {
public:
    /// `row`: of the configuration in the pool.
    void tell(std::size_t row, const std::map<std::string, double>& resources);

    /// A row for each of `features`, with numbers from 0 to 1, and a column for each resource that differs among enough
    /// builds.
    Eigen::ArrayXXf columns(const Eigen::ArrayXXf& features) const;

private:
    std::map<std::string, std::map<std::size_t, double>> logarithms_;  ///< by resource and row
};

}  // namespace kernelgen

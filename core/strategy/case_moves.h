// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/strategy/change.h"

namespace kernelgen {

/// The moves of a strategy on these cases. Rules by case may give them different values: each move begins at the values
/// of the cases that it changes, and leaves the others as they are. `present`: the configuration of each case.
std::vector<SetTunables> moves_on_cases(std::string_view strategy, const Implementation& implementation,
                                        std::span<const Case> cases, std::span<const Configuration> present);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// The role of a tunable, whatever its name: `BLOCK_M`, `BLOCK_SIZE_M` and `TILE_M` are rows of a tile. Empty for a
/// tunable that no strategy knows.
std::string_view role_of_tunable(std::string_view name);

/// The configurations to which a strategy of the catalogue moves a variant, by the values of the tunables that change.
/// Each is allowed on all cases: the tunables have the values, and the restrictions hold. Empty where the strategy is
/// none of tunables, or the variant lacks them.
std::vector<Configuration> moves_of(std::string_view strategy, const Implementation& implementation,
                                    std::span<const Case> cases);

/// The strategies that move tunables, in the order of core/strategy/moves.cpp.
std::vector<std::string_view> moving_strategies();

/// The strategy whose direction a change of tunables has; "" where none has it.
std::string_view strategy_of_move(const Configuration& before, const Configuration& after);

}  // namespace kernelgen

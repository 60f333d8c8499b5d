// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/strategy/change.h"

namespace kernelgen {

/// The edits by which a strategy of the catalogue changes a person's source; empty where what it would edit is not
/// recognised. Only literals, attributes and calls are edited whose meaning is known; verification is the judge.
std::vector<EditSource> edits_of(std::string_view strategy, const Operator& definition,
                                 const Implementation& implementation, std::span<const Case> cases);

/// Changes a Triton source: a one-dimensional grid whose programs walk over the columns becomes a two-dimensional one.
/// Nothing where no such kernel and launch are recognised, or a value goes from one step of the walk to the next.
std::optional<std::string> with_grid_2d(const std::string& text);

}  // namespace kernelgen

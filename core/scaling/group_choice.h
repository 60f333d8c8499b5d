// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/scaling/mode_errors.h"

namespace kernelgen {

/// The group size for a clip target: of ascending sizes the first that clips no more.
struct GroupChoice {
    std::optional<std::int64_t> group;  ///< nothing: none meets the target
    std::int64_t least_clipping = 0;    ///< then the one that clips least
    bool is_delayed = false;            ///< by scales of earlier steps; others never clip
};

/// Of the modes in groups: of those with delayed scales where there are any. Nothing where there are none at all.
std::optional<GroupChoice> choose_group(const std::vector<ModeErrors>& modes, double clip_target);

}  // namespace kernelgen

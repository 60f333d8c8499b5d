// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/group_choice.h"

#include <algorithm>

namespace kernelgen {

std::optional<GroupChoice> choose_group(const std::vector<ModeErrors>& modes, double clip_target) {
    std::vector<ModeErrors> groups;
    std::ranges::copy_if(modes, std::back_inserter(groups),
                         [](const ModeErrors& each) { return each.mode.mode == ScaleMode::group; });
    const bool is_delayed = std::ranges::any_of(groups, [](const ModeErrors& each) { return each.mode.is_delayed; });
    std::erase_if(groups, [&](const ModeErrors& each) { return each.mode.is_delayed != is_delayed; });
    if (groups.empty()) return std::nullopt;
    const auto size = [](const ModeErrors& each) { return each.mode.group; };
    const auto clipped = [](const ModeErrors& each) { return each.metrics.clip_ratio; };
    std::ranges::sort(groups, {}, size);
    GroupChoice choice{.least_clipping = size(*std::ranges::min_element(groups, {}, clipped)),
                       .is_delayed = is_delayed};
    const auto first =
        std::ranges::find_if(groups, [&](const ModeErrors& each) { return clipped(each) <= clip_target; });
    if (first != groups.end()) choice.group = size(*first);
    return choice;
}

}  // namespace kernelgen

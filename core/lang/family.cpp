// SPDX-License-Identifier: Apache-2.0
#include "core/lang/family.h"

#include <algorithm>

namespace kernelgen {
namespace {

constexpr FamilyTraits all_traits[] = {
    {Family::tile, "tile", true},
    {Family::custom, "custom", false},
    {Family::callable, "callable", false, true},
};

}  // namespace

const FamilyTraits& traits_of(Family family) { return *std::ranges::find(all_traits, family, &FamilyTraits::family); }

std::optional<Family> parse_family(std::string_view name) {
    const auto* found = std::ranges::find(all_traits, name, &FamilyTraits::name);
    return found == std::end(all_traits) ? std::nullopt : std::optional(found->family);
}

std::vector<std::string> family_names() {
    std::vector<std::string> names;
    for (const FamilyTraits& each : all_traits) names.emplace_back(each.name);
    return names;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/case_moves.h"

#include <algorithm>

#include "core/strategy/moves.h"

namespace kernelgen {

namespace {

/// The cases that have one configuration.
struct AlikeCases {
    Configuration configuration;
    std::vector<Case> cases;
};

std::vector<AlikeCases> alike(std::span<const Case> cases, std::span<const Configuration> present) {
    std::vector<AlikeCases> groups;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        auto found = std::ranges::find(groups, present[i], &AlikeCases::configuration);
        if (found == groups.end()) found = groups.insert(found, {present[i], {}});
        found->cases.push_back(cases[i]);
    }
    return groups;
}

/// The values that the tunables of a move have before it.
Configuration before_move(const Configuration& present, const Configuration& values) {
    Configuration before;
    for (const auto& [name, value] : values) before[name] = present.at(name);
    return before;
}

}  // namespace

std::vector<SetTunables> moves_on_cases(std::string_view strategy, const Implementation& implementation,
                                        std::span<const Case> cases, std::span<const Configuration> present) {
    std::vector<SetTunables> moves;
    Implementation on_cases = implementation;
    on_cases.variant.configurations.clear();
    for (const AlikeCases& group : alike(cases, present)) {
        on_cases.configuration = group.configuration;
        for (const Configuration& values : moves_of(strategy, on_cases, group.cases)) {
            const Configuration before = before_move(group.configuration, values);
            const auto is_same = [&](const SetTunables& each) {
                return each.values == values && each.before == before;
            };
            auto found = std::ranges::find_if(moves, is_same);
            if (found == moves.end()) found = moves.insert(found, {values, {}, before});
            found->cases.insert(found->cases.end(), group.cases.begin(), group.cases.end());
        }
    }
    return moves;
}

}  // namespace kernelgen

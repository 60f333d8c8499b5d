// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/next_to_try.h"

#include <algorithm>
#include <utility>

#include "core/tune/polish.h"
#include "core/tune/proposal.h"

namespace kernelgen {

void NextToTry::tell(const Tried& tried) {
    const auto index = space_.find(tried.configuration);
    if (!index) return;
    chosen_.insert(*index);
    searcher_->tell({*index, tried.is_ok() ? std::optional(tried.objective) : std::nullopt, tried.resources});
}

std::vector<std::size_t> NextToTry::near_the_best_of(const Tuning& tuning, int count) {
    std::vector<std::pair<double, std::size_t>> right;
    for (const Tried& each : tuning.tried) {
        const auto index = space_.find(each.configuration);
        if (!index || !each.is_ok()) continue;
        // What is better than the incumbent by less than noise does not take its place.
        const bool is_incumbent = each.configuration == tuning.head.incumbent;
        right.emplace_back(each.objective * (is_incumbent ? 1 - most_lost : 1), *index);
    }
    std::ranges::sort(right);
    std::vector<std::size_t> ranked;
    for (const auto& each : right) ranked.push_back(each.second);
    return near_the_best(space_, ranked, chosen_, static_cast<std::size_t>(count));
}

std::vector<Configuration> NextToTry::choose(int count, const Tuning& tuning, bool near_best) {
    const bool knows_more = std::ranges::any_of(first_, [&](std::size_t each) { return !chosen_.contains(each); });
    std::vector<Configuration> configurations;
    while (configurations.empty()) {
        std::vector<std::size_t> asked;
        if (near_best && !knows_more) asked = near_the_best_of(tuning, count);
        if (asked.empty()) asked = searcher_->ask(count);
        if (asked.empty()) break;
        for (const std::size_t index : asked) {
            Configuration configuration = space_.at(index);
            const bool is_new = chosen_.insert(index).second;
            if (is_new && configuration != tuning.head.incumbent) configurations.push_back(std::move(configuration));
        }
    }
    return configurations;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/tune/pareto.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace kernelgen {

bool has_cost(const Tried& tried, TriedCost cost) {
    return tried.is_ok() && (cost != &Tried::energy_joules || tried.energy_joules > 0);
}

std::vector<std::size_t> pareto_front(const std::vector<Tried>& tried, TriedCost cost) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        if (has_cost(tried[i], cost)) places.push_back(i);
    }
    const auto costs = [&](std::size_t place) { return std::pair(tried[place].seconds, tried[place].*cost); };
    std::ranges::stable_sort(places, {}, costs);
    double least = std::numeric_limits<double>::infinity();
    std::erase_if(places, [&](std::size_t place) {
        const bool is_beaten = tried[place].*cost >= least;
        least = std::min(least, tried[place].*cost);
        return is_beaten;
    });
    return places;
}

}  // namespace kernelgen

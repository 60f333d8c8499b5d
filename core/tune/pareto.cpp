// SPDX-License-Identifier: Apache-2.0
#include "core/tune/pareto.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace kernelgen {

std::vector<std::size_t> pareto_front(const std::vector<Tried>& tried) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        if (tried[i].is_ok()) places.push_back(i);
    }
    const auto costs = [&](std::size_t place) { return std::pair(tried[place].seconds, tried[place].memory_bytes); };
    std::ranges::stable_sort(places, {}, costs);
    double least = std::numeric_limits<double>::infinity();
    std::erase_if(places, [&](std::size_t place) {
        const bool is_beaten = tried[place].memory_bytes >= least;
        least = std::min(least, tried[place].memory_bytes);
        return is_beaten;
    });
    return places;
}

}  // namespace kernelgen

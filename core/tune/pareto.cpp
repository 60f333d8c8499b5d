// SPDX-License-Identifier: Apache-2.0
#include "core/tune/pareto.h"

#include <algorithm>
#include <array>
#include <limits>

namespace kernelgen {

namespace {

/// Seconds, bytes, joules.
using ParetoCosts = std::array<double, 3>;

ParetoCosts costs_of(const Tried& tried) {
    const bool is_measured = tried.energy_joules > 0;
    return {tried.seconds, tried.memory_bytes,
            is_measured ? tried.energy_joules : std::numeric_limits<double>::infinity()};
}

bool is_as_good(const ParetoCosts& one, const ParetoCosts& other) {
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (!(one[i] <= other[i])) return false;
    }
    return true;
}

}  // namespace

std::vector<std::size_t> pareto_front(const std::vector<Tried>& tried) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        if (tried[i].is_ok()) places.push_back(i);
    }
    std::ranges::stable_sort(places, {}, [&](std::size_t place) { return costs_of(tried[place]); });
    std::vector<std::size_t> front;
    for (const std::size_t place : places) {
        const auto beats_it = [&](std::size_t other) {
            return is_as_good(costs_of(tried[other]), costs_of(tried[place]));
        };
        if (std::ranges::none_of(front, beats_it)) front.push_back(place);
    }
    return front;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/bench/tail_waste.h"

#include <algorithm>
#include <cmath>

namespace kernelgen {
namespace {

/// The programs of a side that run at once, by the numbers of its device; 0 where it has none.
int programs_at_once(const Side& side) {
    const Sizes& numbers = side.implementation->device;
    const auto number = [&](const char* name) {
        const auto found = numbers.find(name);
        return found == numbers.end() ? 0 : static_cast<int>(found->second);
    };
    const int blocks = number("multiprocessors") * side.blocks_per_multiprocessor;
    return blocks > 0 ? blocks : number("threads");
}

}  // namespace

double tail_waste(const Side& side) {
    const int threads = programs_at_once(side);
    if (threads <= 0) return 0;
    double used = 0, held = 0;
    for (const PlannedLaunch& launch : side.call.plan.launches) {
        const double programs = static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
                                static_cast<double>(launch.grid[2]);
        const int count = launch.threads > 0 ? std::min(launch.threads, threads) : threads;
        used += programs;
        held += std::ceil(programs / count) * threads;
    }
    return held > 0 ? 1 - used / held : 0;
}

}  // namespace kernelgen

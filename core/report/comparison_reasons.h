// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/round/comparison.h"

namespace kernelgen {

/// Smaller differences are no reason.
inline constexpr double least_traffic_difference = 0.05;  ///< of the derived bytes, or of the winner's if more
inline constexpr double least_share_difference = 0.05;    ///< difference of achieved occupancy, and of cache hit rates
inline constexpr double least_built_occupancy_difference = 0.1;

/// A reason why a variant may be faster than another one that computes the same.
enum class Advantage {
    less_traffic,            ///< fewer bytes from and to memory
    fewer_repeated_fetches,  ///< the same memory traffic, and fewer repeated fetches from the cache
    occupancy,               ///< higher achieved occupancy, by counters
    built_occupancy,         ///< higher possible occupancy, by the builds, where there are no counters
    no_spills,               ///< the other one spills registers to memory
};

/// One reason with the numbers on which it is based.
struct AdvantageFinding {
    Advantage kind;
    double winner = 0, loser = 0;  ///< bytes, shares 0 … 1, or spilled bytes for each thread

    bool operator==(const AdvantageFinding&) const = default;
};

/// Bytes that a case must read and write by the definition; 0 where they are unknown.
double derived_bytes(const ComparedVariant& variant, std::size_t place);

/// A hardware counter of a variant in a case ("dram_bytes" is the sum of read and written bytes), or nothing.
std::optional<double> counted(const ComparedVariant& variant, std::size_t place, const std::string& name);
/// A resource of a variant's build in a case, or nothing.
std::optional<double> built(const ComparedVariant& variant, std::size_t place, const std::string& name);

/// The reasons for the winner in a case, by rule; may be empty.
std::vector<AdvantageFinding> find_advantages(const ComparedVariant& winner, const ComparedVariant& loser,
                                              std::size_t place);

}  // namespace kernelgen

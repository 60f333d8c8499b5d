// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/round/comparison.h"

namespace kernelgen {

/// Differences below these are no reason.
inline constexpr double least_traffic_difference = 0.05;  ///< of the derived bytes, or of the winner's where more
inline constexpr double least_share_difference = 0.05;    ///< of achieved occupancy and of cache hits
inline constexpr double least_built_occupancy_difference = 0.1;

/// Why a variant may be faster than another that computes the same.
enum class Advantage {
    less_traffic,            ///< fewer bytes from and to memory
    fewer_repeated_fetches,  ///< as many of these, and less that the other fetches again, from the cache
    occupancy,               ///< more warps at work, as counted
    built_occupancy,         ///< the same by what the builds take, where it was not counted
    no_spills,               ///< the other keeps registers' values in memory
};

/// One reason with the numbers that it rests on.
struct AdvantageFinding {
    Advantage kind;
    double winner = 0, loser = 0;  ///< bytes, shares 0 … 1, or bytes spilled a thread

    bool operator==(const AdvantageFinding&) const = default;
};

/// Bytes that a case must move by the definition; 0 where they are not known.
double derived_bytes(const ComparedVariant& variant, std::size_t place);

/// Something counted of a variant in a case ("dram_bytes" for what is read and written), or nothing.
std::optional<double> counted(const ComparedVariant& variant, std::size_t place, const std::string& name);
/// The same of what its build takes.
std::optional<double> built(const ComparedVariant& variant, std::size_t place, const std::string& name);

/// What speaks for the winner in a case, by rule; empty where nothing does.
std::vector<AdvantageFinding> find_advantages(const ComparedVariant& winner, const ComparedVariant& loser,
                                              std::size_t place);

}  // namespace kernelgen

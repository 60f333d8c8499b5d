// SPDX-License-Identifier: Apache-2.0
#include "core/report/comparison_reasons.h"

#include "core/measure/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kernelgen {

namespace {

using Values = std::vector<std::map<std::string, double>>;

std::optional<double> value_of(const Values& values, std::size_t place, const std::string& name) {
    if (place >= values.size()) return std::nullopt;
    const auto found = values[place].find(name);
    return found == values[place].end() ? std::nullopt : std::optional(found->second);
}

/// A number of both variants, where both have it.
struct Both {
    std::optional<double> winner, loser;

    bool known() const { return winner && loser; }
    AdvantageFinding as(Advantage kind) const { return {kind, *winner, *loser}; }
};

void find_in_traffic(const Both& bytes, const Both& hits, double derived, std::vector<AdvantageFinding>& findings) {
    if (!bytes.known()) return;
    const double least = least_traffic_difference * std::max(derived, *bytes.winner),
                 more = *bytes.loser - *bytes.winner;
    if (more > 0 && more >= least) findings.push_back(bytes.as(Advantage::less_traffic));
    const bool alike = std::abs(more) < least;
    if (alike && hits.known() && *hits.loser - *hits.winner >= least_share_difference) {
        findings.push_back(hits.as(Advantage::fewer_repeated_fetches));
    }
}

}  // namespace

double derived_bytes(const ComparedVariant& variant, std::size_t place) {
    const RoundCase& each = variant.cases[place];
    return each.roofline.bandwidth_gbps * 1e9 * each.seconds;
}

std::optional<double> counted(const ComparedVariant& variant, std::size_t place, const std::string& name) {
    if (name != "dram_bytes") return value_of(variant.counters, place, name);
    const auto read = value_of(variant.counters, place, metrics::dram_read_bytes.name),
               written = value_of(variant.counters, place, metrics::dram_write_bytes.name);
    return read && written ? std::optional(*read + *written) : std::nullopt;
}

std::optional<double> built(const ComparedVariant& variant, std::size_t place, const std::string& name) {
    return value_of(variant.resources, place, name);
}

std::vector<AdvantageFinding> find_advantages(const ComparedVariant& winner, const ComparedVariant& loser,
                                              std::size_t place) {
    const auto counts = [&](const char* name) {
        return Both{counted(winner, place, name), counted(loser, place, name)};
    };
    const auto builds = [&](const char* name) { return Both{built(winner, place, name), built(loser, place, name)}; };
    std::vector<AdvantageFinding> findings;
    find_in_traffic(counts("dram_bytes"), counts(metrics::cache_hit_rate.name), derived_bytes(winner, place), findings);
    const Both occupancy = counts(metrics::achieved_occupancy.name), possible = builds(metrics::occupancy.name);
    if (occupancy.known()) {
        if (*occupancy.winner - *occupancy.loser >= least_share_difference) {
            findings.push_back(occupancy.as(Advantage::occupancy));
        }
    } else if (possible.known() && *possible.winner - *possible.loser >= least_built_occupancy_difference) {
        findings.push_back(possible.as(Advantage::built_occupancy));
    }
    const Both spilled = builds(metrics::spill_store_bytes.name);
    if (spilled.known() && *spilled.winner < *spilled.loser) findings.push_back(spilled.as(Advantage::no_spills));
    return findings;
}

}  // namespace kernelgen

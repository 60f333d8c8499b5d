// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/roofline_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace kernelgen::studio {

namespace {

constexpr double nearest_ratio = 1.25;  ///< of a ceiling to another; nearer, it would be the same line to the eye

bool near(double a, double b) { return std::max(a, b) < nearest_ratio * std::min(a, b); }

bool drawn(const std::vector<Roof>& roofs, double value) {
    return std::ranges::any_of(
        roofs, [&](const Roof& each) { return each.kind != Roof::Kind::flops && near(each.value, value); });
}

void addWhereNew(std::vector<Roof>& roofs, const Roof& roof) {
    if (roof.value > 0 && !drawn(roofs, roof.value)) roofs.push_back(roof);
}

/// The measurement at the size nearest to a case's, by ratio.
const BandwidthCeiling& nearestTo(double bytes, const std::vector<BandwidthCeiling>& measured) {
    return *std::ranges::min_element(
        measured, {}, [&](const BandwidthCeiling& each) { return std::abs(std::log(each.bytes / bytes)); });
}

}  // namespace

std::vector<Roof> roofsOf(const Ceilings& ceilings, const std::set<double>& case_bytes) {
    std::vector<Roof> roofs;
    if (!ceilings.measured()) return roofs;
    const BandwidthCeiling& memory = ceilings.all_threads.back();
    addWhereNew(roofs, {.kind = Roof::Kind::copy, .value = memory.copy_gbps, .bytes = memory.bytes});
    for (const double bytes : case_bytes) {
        const BandwidthCeiling& like = nearestTo(bytes, ceilings.all_threads);
        addWhereNew(roofs, {.kind = Roof::Kind::copy, .value = like.copy_gbps, .bytes = like.bytes});
    }
    addWhereNew(roofs, {.kind = Roof::Kind::read, .value = memory.read_gbps, .bytes = memory.bytes});
    addWhereNew(roofs, {.kind = Roof::Kind::write, .value = memory.write_gbps, .bytes = memory.bytes});
    for (const auto& [dtype, gflops] : ceilings.gflops_all_threads) {
        if (gflops > 0) roofs.push_back({.kind = Roof::Kind::flops, .value = gflops, .dtype = dtype});
    }
    return roofs;
}

RooflineData rooflineData(const History& history, const std::string& device, const Ceilings& ceilings) {
    RooflineData data;
    data.catalogue = Catalogue(history);
    std::set<double> sizes;
    for (const Round& round : history.rounds) {
        if (round.device != device) {
            data.elsewhere += round.status == Status::ok ? 1 : 0;
            continue;
        }
        for (const Timing& timing : timingsOf(round, data.catalogue)) {
            const RooflinePoint& point = timing.timing->roofline;
            if (point.intensity > 0 && point.gflops > 0) {
                data.points.push_back(timing);
                sizes.insert(std::round(bytesOf(*timing.timing) / 1e4) * 1e4);
            } else {
                data.no_flops = true;
            }
        }
    }
    data.roofs = roofsOf(ceilings, sizes);
    return data;
}

std::vector<RooflineStep> stepsUpTo(const RooflineData& data, int last, int most) {
    std::set<int> rounds;
    for (const Timing& each : data.points) {
        if (each.round->number <= last) rounds.insert(each.round->number);
    }
    while (rounds.size() > static_cast<std::size_t>(most)) rounds.erase(rounds.begin());
    std::vector<RooflineStep> steps;
    std::map<std::pair<int, int>, std::size_t> before;
    for (std::size_t i = 0; i < data.points.size(); ++i) {
        const Timing& point = data.points[i];
        if (!rounds.contains(point.round->number)) continue;
        const auto [previous, is_first] = before.try_emplace({point.binding, point.group}, i);
        if (!is_first) steps.push_back({.from = std::exchange(previous->second, i), .to = i});
    }
    return steps;
}

}  // namespace kernelgen::studio

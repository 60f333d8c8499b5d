// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/efficiency_data.h"

#include <algorithm>

#include "core/report/log_sections.h"

namespace kernelgen::studio {

namespace {

/// The newest timed round of each configuration, the reference's own left out.
std::map<Configuration, const Round*> newestOfEach(const History& history, const Round& reference) {
    std::map<Configuration, const Round*> newest;
    for (const Round& round : history.rounds) {
        if (round.variant != reference.variant || !comparable(round, reference)) continue;
        if (round.configuration != reference.configuration && deciding_case(round) != nullptr) {
            newest[round.configuration] = &round;
        }
    }
    return newest;
}

std::vector<EfficiencyPoint> pointsOf(const Round& round, bool is_fraction, Catalogue& catalogue) {
    std::vector<EfficiencyPoint> points;
    for (const Timing& timing : timingsOf(round, catalogue)) {
        const RooflinePoint& place = timing.timing->roofline;
        const double bytes = bytesOf(*timing.timing);
        const double value = is_fraction ? place.fraction : place.bandwidth_gbps;
        if (bytes > 0 && value > 0) points.push_back({timing, bytes, value});
    }
    return points;
}

void takeBest(std::optional<EfficiencyPoint>& best, const EfficiencyPoint& point) {
    if (!best || point.value > best->value) best = point;
}

}  // namespace

EfficiencyData efficiencyData(const History& history, const Round& reference) {
    EfficiencyData data;
    data.is_fraction =
        std::ranges::all_of(timed_cases(reference), [](const RoundCase* each) { return each->roofline.has_ceilings; });
    Catalogue catalogue(history);
    for (const EfficiencyPoint& point : pointsOf(reference, data.is_fraction, catalogue)) {
        data.reference[point.timing.timing->binding.dtype].push_back(point);
        takeBest(data.best, point);
    }
    for (auto& [dtype, points] : data.reference) std::ranges::sort(points, {}, &EfficiencyPoint::bytes);
    for (const auto& [configuration, round] : newestOfEach(history, reference)) {
        ++data.configurations;
        for (const EfficiencyPoint& point : pointsOf(*round, data.is_fraction, catalogue)) {
            data.others.push_back(point);
            takeBest(data.best, point);
        }
    }
    return data;
}

}  // namespace kernelgen::studio

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/diagnose/access_evidence.h"
#include "core/diagnose/layout.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

constexpr std::int64_t warp_threads = 32;

/// The mean of the threads' accesses over the most that a thread has. Of some warps after the first, only the first
/// thread is followed.
double busy_threads(const FollowedLaunch& launch, const std::vector<Trace>& warp) {
    const auto in_warp = static_cast<std::int64_t>(warp.size());
    const std::int64_t threads = launch.threads_of_program();
    constexpr std::int64_t most_warps = 8;
    double most = 0, sum = 0, followed = 0;
    for (const Trace& each : warp) {
        most = std::max(most, each.executions());
        sum += each.executions();
        ++followed;
    }
    const std::int64_t step = std::max(in_warp, threads / most_warps / warp_threads * warp_threads);
    for (std::int64_t thread = step; thread < threads; thread += step) {
        const double executions = launch.follow(0, thread).executions();
        most = std::max(most, executions);
        sum += executions * static_cast<double>(in_warp);
        followed += static_cast<double>(in_warp);
    }
    return most > 0 ? sum / followed / most : 1;
}

}  // namespace

std::vector<SourcePlace> places_of(const std::string& file, const AccessCost& cost) {
    std::vector<SourcePlace> places;
    for (const int line : cost.lines) {
        if (!std::ranges::contains(places, SourcePlace{file, line})) places.push_back({file, line});
    }
    return places;
}

void replace_addresses(Trace& trace, const std::string& tensor,
                       const std::function<std::int64_t(std::int64_t)>& place) {
    for (auto& [key, site] : trace.sites) {
        if (trace.buffers[static_cast<std::size_t>(site.buffer)].name != tensor) continue;
        for (Visit& each : site.visits) each.address = place(each.address);
    }
}

void put_warp(const RoundDetail& detail, const FollowedLaunch& launch, Evidence& evidence) {
    constexpr auto source = EvidenceSource::source;
    const std::string& file = detail.candidate.variant.source;
    std::vector<Trace> warp;
    for (std::int64_t lane = 0; lane < std::min(warp_threads, launch.threads_of_program()); ++lane)
        warp.push_back(launch.follow(0, lane));
    const AccessCost sectors = sectors_of(warp), passes = passes_of(warp);
    if (sectors.is_known())
        evidence.put(metrics::sectors_ratio.name, sectors.ratio(), source, places_of(file, sectors));
    if (passes.is_known())
        evidence.put(metrics::bank_conflict_ways.name, passes.ratio(), source, places_of(file, passes));
    evidence.put(metrics::busy_threads.name, busy_threads(launch, warp), source);
    evidence.layouts = layouts_of(detail, evidence, [&](const std::string& tensor, const auto& place) {
        std::vector<Trace> moved = warp;
        for (Trace& each : moved) replace_addresses(each, tensor, place);
        return sectors_of(moved, tensor);
    });
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "core/diagnose/access_evidence.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

constexpr std::int64_t line_bytes = 64;
constexpr double bad_use = 0.5;  ///< of a cache line, under which a line of the source is named

bool is_global(const Trace& trace, const AccessSite& site) {
    return trace.buffers[static_cast<std::size_t>(site.buffer)].space == TracedBuffer::Space::global;
}

/// The distance in bytes between two iterations of the innermost loop; nothing where the site is in none that has two.
std::optional<std::int64_t> stride_in_loop(const AccessSite& site) {
    for (std::size_t i = 1; i < site.visits.size(); ++i) {
        const Visit &before = site.visits[i - 1], &now = site.visits[i];
        if (now.loop >= 0 && now.loop == before.loop && now.iteration == before.iteration + 1)
            return std::abs(now.address - before.address);
    }
    return std::nullopt;
}

/// The distance between the first visits of two executions of the innermost loop.
std::optional<std::int64_t> stride_around_loop(const AccessSite& site) {
    for (std::size_t i = 1; i < site.visits.size(); ++i) {
        if (site.visits[i].loop != site.visits[i - 1].loop && site.visits[i].iteration == site.visits[0].iteration)
            return std::abs(site.visits[i].address - site.visits[0].address);
    }
    return std::nullopt;
}

/// Whether the lines of the innermost loop are still in the cache when the loop around it comes to their next element.
bool reuses_lines(const Trace& trace, const AccessSite& site, double cache_bytes) {
    const std::optional<std::int64_t> around = stride_around_loop(site);
    if (!around || *around >= line_bytes) return false;
    const double trips = trace.loops[static_cast<std::size_t>(site.visits[0].loop)].trips;
    return trips * line_bytes < cache_bytes;
}

void put_line_use(const Trace& trace, const std::string& file, double cache_bytes, Evidence& evidence) {
    double used = 0, fetched = 0;
    std::vector<SourcePlace> where;
    for (const auto& [key, site] : trace.sites) {
        const std::optional<std::int64_t> stride = is_global(trace, site) ? stride_in_loop(site) : std::nullopt;
        if (!stride || *stride == 0) continue;  // in a register, or no loop
        const double bytes = site.visits[0].bytes;
        double lines = std::clamp(static_cast<double>(*stride), bytes, static_cast<double>(line_bytes));
        if (reuses_lines(trace, site, cache_bytes)) lines = bytes;
        used += bytes * site.executions;
        fetched += lines * site.executions;
        if (bytes / lines < bad_use) where.push_back({file, site.line});
    }
    if (fetched > 0) evidence.put(metrics::line_use.name, used / fetched, EvidenceSource::source, where);
}

/// The lines that a site's first visits write, with the buffer.
std::set<std::pair<std::string, std::int64_t>> lines_of(const Trace& trace, const AccessSite& site) {
    std::set<std::pair<std::string, std::int64_t>> lines;
    const std::string& buffer = trace.buffers[static_cast<std::size_t>(site.buffer)].name;
    for (const Visit& each : site.visits) lines.insert({buffer, each.address / line_bytes});
    return lines;
}

/// The share of all accesses that write a line which another thread writes at the same time: each thread begins with
/// the first of its consecutive programs.
void put_shared_lines(const FollowedLaunch& launch, const Trace& first, const std::string& file, int threads,
                      Evidence& evidence) {
    const std::int64_t programs = launch.programs();
    const auto several = std::min<std::int64_t>(threads, programs);
    if (several < 2 || first.executions() <= 0) return;
    const Trace other = launch.follow(programs / several);
    std::set<std::pair<std::string, std::int64_t>> theirs;
    for (const auto& [key, site] : other.sites) {
        if (site.kind != AccessKind::load && is_global(other, site)) theirs.merge(lines_of(other, site));
    }
    double shared = 0;
    std::vector<SourcePlace> where;
    for (const auto& [key, site] : first.sites) {
        if (site.kind == AccessKind::load || !is_global(first, site)) continue;
        const auto own = lines_of(first, site);
        if (std::ranges::none_of(own, [&](const auto& line) { return theirs.contains(line); })) continue;
        shared += site.executions;
        where.push_back({file, site.line});
    }
    evidence.put(metrics::shared_line_share.name, shared / first.executions(), EvidenceSource::source, where);
}

}  // namespace

void put_lines(const FollowedLaunch& launch, const std::string& file, int threads, double cache_bytes, Evidence& evidence) {
    const Trace first = launch.follow(0);
    put_line_use(first, file, cache_bytes, evidence);
    put_shared_lines(launch, first, file, threads, evidence);
}

}  // namespace kernelgen

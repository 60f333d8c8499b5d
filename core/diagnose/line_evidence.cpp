// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/diagnose/access_evidence.h"
#include "core/diagnose/layout.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

constexpr std::int64_t shared_line_bytes = 64;
using WrittenLine = std::pair<std::string, std::int64_t>;

/// Whether a site writes to global memory.
bool writes(const Trace& trace, const AccessSite& site) {
    const TracedBuffer& buffer = trace.buffers[static_cast<std::size_t>(site.buffer)];
    return site.kind != AccessKind::load && buffer.space == TracedBuffer::Space::global;
}

/// The lines that a site's first visits touch, with the buffer.
std::set<WrittenLine> written_lines(const Trace& trace, const AccessSite& site) {
    std::set<WrittenLine> lines;
    const std::string& buffer = trace.buffers[static_cast<std::size_t>(site.buffer)].name;
    for (const Visit& each : site.visits) lines.insert({buffer, each.address / shared_line_bytes});
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
    std::set<WrittenLine> theirs;
    for (const auto& [key, site] : other.sites) {
        if (writes(other, site)) theirs.merge(written_lines(other, site));
    }
    double shared = 0;
    std::vector<SourcePlace> where;
    for (const auto& [key, site] : first.sites) {
        if (!writes(first, site)) continue;
        const std::set<WrittenLine> own = written_lines(first, site);
        if (std::ranges::none_of(own, [&](const WrittenLine& line) { return theirs.contains(line); })) continue;
        shared += site.executions;
        where.push_back({file, site.line});
    }
    evidence.put(metrics::shared_line_share.name, shared / first.executions(), EvidenceSource::source, where);
}

}  // namespace

void put_lines(const RoundDetail& detail, const FollowedLaunch& launch, const Trace& first, double cache_bytes,
               Evidence& evidence) {
    const std::string& file = detail.candidate.variant.source;
    const AccessCost lines = lines_of(first, cache_bytes);
    if (lines.is_known())
        evidence.put(metrics::line_use.name, 1 / lines.ratio(), EvidenceSource::source, places_of(file, lines));
    put_shared_lines(launch, first, file, detail.environment.threads, evidence);
    evidence.layouts = layouts_of(detail, evidence, [&](const std::string& tensor, const auto& place) {
        Trace moved = first;
        replace_addresses(moved, tensor, place);
        return lines_of(moved, cache_bytes, tensor);
    });
}

}  // namespace kernelgen

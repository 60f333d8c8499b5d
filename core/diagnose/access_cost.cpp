// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/access_cost.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace kernelgen {

namespace {

constexpr std::int64_t sector_bytes = 32, bank_bytes = 4, banks = 32, line_bytes = 64;
constexpr double bad_ratio = 1.5;  ///< from which on a line of the source is named

/// An access of all threads of a warp: the visits of the same number.
struct WarpAccess {
    std::set<std::int64_t> addresses;
    int bytes = 0;
    double weight = 0;
};

std::vector<WarpAccess> warp_accesses(const std::vector<Trace>& warp, const SiteKey& key) {
    std::vector<WarpAccess> accesses;
    for (const Trace& thread : warp) {
        const auto found = thread.sites.find(key);
        if (found == thread.sites.end()) continue;
        const std::vector<Visit>& visits = found->second.visits;
        accesses.resize(std::max(accesses.size(), visits.size()));
        for (std::size_t i = 0; i < visits.size(); ++i) {
            accesses[i].addresses.insert(visits[i].address);
            accesses[i].bytes = std::max(visits[i].bytes, 1);
            accesses[i].weight = std::max(accesses[i].weight, visits[i].weight);
        }
    }
    return accesses;
}

AccessCost sectors_of_access(const WarpAccess& access) {
    std::set<std::int64_t> sectors;
    for (const std::int64_t address : access.addresses) {
        for (std::int64_t at = address / sector_bytes; at <= (address + access.bytes - 1) / sector_bytes; ++at)
            sectors.insert(at);
    }
    const auto bytes = static_cast<std::int64_t>(access.addresses.size()) * access.bytes;
    const std::int64_t needed = (bytes + sector_bytes - 1) / sector_bytes;
    return {static_cast<double>(sectors.size()) * access.weight, static_cast<double>(needed) * access.weight};
}

/// The most different words of one bank are as many passes.
AccessCost passes_of_access(const WarpAccess& access) {
    std::map<std::int64_t, std::set<std::int64_t>> words_of_bank;
    std::set<std::int64_t> words;
    for (const std::int64_t address : access.addresses) {
        for (std::int64_t at = address; at < address + access.bytes; at += bank_bytes) {
            words_of_bank[at / bank_bytes % banks].insert(at / bank_bytes);
            words.insert(at / bank_bytes);
        }
    }
    std::size_t passes = 1;
    for (const auto& [bank, theirs] : words_of_bank) passes = std::max(passes, theirs.size());
    const auto best = (static_cast<std::int64_t>(words.size()) + banks - 1) / banks;
    return {static_cast<double>(passes) * access.weight, static_cast<double>(best) * access.weight};
}

/// Sums a cost over the sites of a space of memory; each site's line is named where its own ratio is bad.
AccessCost cost_of_warp(const std::vector<Trace>& warp, TracedBuffer::Space space, const std::string& tensor,
                        AccessCost (*cost)(const WarpAccess&)) {
    std::map<SiteKey, int> sites;
    for (const Trace& thread : warp) {
        for (const auto& [key, site] : thread.sites) {
            const TracedBuffer& buffer = thread.buffers[static_cast<std::size_t>(site.buffer)];
            const bool counts = buffer.space == space && (tensor.empty() || buffer.name == tensor);
            if (counts && site.kind != AccessKind::atomic) sites[key] = site.line;
        }
    }
    AccessCost sum;
    for (const auto& [key, line] : sites) {
        AccessCost own;
        for (const WarpAccess& each : warp_accesses(warp, key)) own.add(cost(each));
        if (own.ratio() > bad_ratio) own.lines.push_back(line);
        sum.add(own);
    }
    return sum;
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

/// The distance between the first visits of two executions of the innermost loop; nothing where the first is outside of
/// any loop.
std::optional<std::int64_t> stride_around_loop(const AccessSite& site) {
    if (site.visits.empty() || site.visits[0].loop < 0) return std::nullopt;
    for (std::size_t i = 1; i < site.visits.size(); ++i) {
        if (site.visits[i].loop != site.visits[i - 1].loop && site.visits[i].iteration == site.visits[0].iteration)
            return std::abs(site.visits[i].address - site.visits[0].address);
    }
    return std::nullopt;
}

bool reuses_lines(const Trace& trace, const AccessSite& site, double cache_bytes) {
    const std::optional<std::int64_t> around = stride_around_loop(site);
    if (!around || *around >= line_bytes) return false;
    return trace.loops[static_cast<std::size_t>(site.visits[0].loop)].trips * line_bytes < cache_bytes;
}

}  // namespace

void AccessCost::add(const AccessCost& other) {
    cost += other.cost;
    best += other.best;
    lines.insert(lines.end(), other.lines.begin(), other.lines.end());
}

AccessCost sectors_of(const std::vector<Trace>& warp, const std::string& tensor) {
    return cost_of_warp(warp, TracedBuffer::Space::global, tensor, sectors_of_access);
}

AccessCost passes_of(const std::vector<Trace>& warp) {
    return cost_of_warp(warp, TracedBuffer::Space::shared, "", passes_of_access);
}

AccessCost lines_of(const Trace& trace, double cache_bytes, const std::string& tensor) {
    AccessCost sum;
    for (const auto& [key, site] : trace.sites) {
        const TracedBuffer& buffer = trace.buffers[static_cast<std::size_t>(site.buffer)];
        if (buffer.space != TracedBuffer::Space::global || (!tensor.empty() && buffer.name != tensor)) continue;
        const std::optional<std::int64_t> stride = stride_in_loop(site);
        if (!stride || *stride == 0) continue;  // no loop, or one address, which is in a register
        const double bytes = std::max(site.visits[0].bytes, 1);
        double fetched = std::clamp(static_cast<double>(*stride), bytes, std::max(bytes, double{line_bytes}));
        if (reuses_lines(trace, site, cache_bytes)) fetched = bytes;
        AccessCost own{fetched * site.executions, bytes * site.executions};
        if (own.ratio() > bad_ratio) own.lines.push_back(site.line);
        sum.add(own);
    }
    return sum;
}

}  // namespace kernelgen

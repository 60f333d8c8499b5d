// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/diagnose/access_evidence.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

constexpr std::int64_t warp_threads = 32, sector_bytes = 32, bank_bytes = 4, banks = 32;
constexpr double bad_ratio = 1.5;  ///< from which on a line of the source is named

/// An access of all threads of a warp: the visits of the same number.
struct WarpAccess {
    std::vector<std::int64_t> addresses;
    int bytes = 0;
    double weight = 0;
};

/// Sums of what an access costs and of what it would cost at best, over the accesses of a warp.
struct CostSum {
    double cost = 0, best = 0;

    void add(double its_cost, double its_best, double weight) {
        cost += its_cost * weight;
        best += its_best * weight;
    }
    double ratio() const { return best > 0 ? cost / best : 1; }
};

/// The site's accesses by the warp, as the first thread that has the site makes them.
std::vector<WarpAccess> accesses_of(const std::vector<Trace>& warp, const SiteKey& site) {
    std::vector<WarpAccess> accesses;
    for (const Trace& thread : warp) {
        const auto found = thread.sites.find(site);
        if (found == thread.sites.end()) continue;
        const std::vector<Visit>& visits = found->second.visits;
        accesses.resize(std::max(accesses.size(), visits.size()));
        for (std::size_t i = 0; i < visits.size(); ++i) {
            accesses[i].addresses.push_back(visits[i].address);
            accesses[i].bytes = visits[i].bytes;
            accesses[i].weight = std::max(accesses[i].weight, visits[i].weight);
        }
    }
    return accesses;
}

/// Sectors that the addresses touch, and as many as their bytes would fill.
void add_sectors(const WarpAccess& access, CostSum& sum) {
    std::set<std::int64_t> sectors, distinct(access.addresses.begin(), access.addresses.end());
    for (const std::int64_t address : distinct) {
        for (std::int64_t at = address / sector_bytes; at <= (address + access.bytes - 1) / sector_bytes; ++at)
            sectors.insert(at);
    }
    const auto bytes = static_cast<std::int64_t>(distinct.size()) * access.bytes;
    const std::int64_t needed = (bytes + sector_bytes - 1) / sector_bytes;
    sum.add(static_cast<double>(sectors.size()), static_cast<double>(needed), access.weight);
}

/// Passes over shared memory: the most different words of one bank.
void add_passes(const WarpAccess& access, CostSum& sum) {
    std::map<std::int64_t, std::set<std::int64_t>> words_of_bank;
    std::set<std::int64_t> words;
    for (const std::int64_t address : access.addresses) {
        for (std::int64_t at = address; at < address + std::max(access.bytes, 1); at += bank_bytes) {
            words_of_bank[at / bank_bytes % banks].insert(at / bank_bytes);
            words.insert(at / bank_bytes);
        }
    }
    std::size_t passes = 1;
    for (const auto& [bank, theirs] : words_of_bank) passes = std::max(passes, theirs.size());
    const auto best = static_cast<double>((static_cast<std::int64_t>(words.size()) + banks - 1) / banks);
    sum.add(static_cast<double>(passes), best, access.weight);
}

struct WarpSums {
    CostSum sectors, passes;
    std::vector<SourcePlace> scattered, conflicting;
};

void add_site(const std::vector<Trace>& warp, const SiteKey& key, const AccessSite& site, TracedBuffer::Space space,
              const std::string& file, WarpSums& sums) {
    if (site.kind == AccessKind::atomic || space == TracedBuffer::Space::local) return;
    const bool is_shared = space == TracedBuffer::Space::shared;
    CostSum own;
    for (const WarpAccess& each : accesses_of(warp, key)) {
        if (is_shared) add_passes(each, own);
        else add_sectors(each, own);
    }
    CostSum& sum = is_shared ? sums.passes : sums.sectors;
    sum.add(own.cost, own.best, 1);
    if (own.ratio() > bad_ratio) (is_shared ? sums.conflicting : sums.scattered).push_back({file, site.line});
}

/// The mean of the threads' accesses over the most of a thread. Of the warps behind the first their first threads are
/// followed.
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

void put_warp(const FollowedLaunch& launch, const std::string& file, Evidence& evidence) {
    constexpr auto source = EvidenceSource::source;
    std::vector<Trace> warp;
    std::map<SiteKey, std::pair<AccessSite, TracedBuffer::Space>> sites;
    for (std::int64_t lane = 0; lane < std::min(warp_threads, launch.threads_of_program()); ++lane) {
        warp.push_back(launch.follow(0, lane));
        const Trace& thread = warp.back();
        for (const auto& [key, site] : thread.sites)
            sites.try_emplace(key, site, thread.buffers[static_cast<std::size_t>(site.buffer)].space);
    }
    WarpSums sums;
    for (const auto& [key, site] : sites) add_site(warp, key, site.first, site.second, file, sums);
    if (sums.sectors.best > 0) evidence.put(metrics::sectors_ratio.name, sums.sectors.ratio(), source, sums.scattered);
    if (sums.passes.best > 0)
        evidence.put(metrics::bank_conflict_ways.name, sums.passes.ratio(), source, sums.conflicting);
    evidence.put(metrics::busy_threads.name, busy_threads(launch, warp), source);
}

}  // namespace kernelgen

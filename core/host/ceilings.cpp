// SPDX-License-Identifier: Apache-2.0
#include "core/host/ceilings.h"

#include <algorithm>
#include <functional>
#include <span>

#include "core/backend/prober.h"
#include "core/base/text.h"
#include "core/measure/neighbours.h"

namespace kernelgen {
namespace {

constexpr double kib = 1024, mib = 1024 * kib;
constexpr double sizes_all_threads[] = {256 * kib, 2 * mib, 16 * mib, 128 * mib, 512 * mib};
constexpr double sizes_one_thread[] = {2 * mib, 128 * mib};

/// f32 elements that one tile program moves, of `elements` in all: of few elements less, so that all threads have some.
constexpr std::int64_t chunk_of(std::int64_t elements) { return elements < 131072 ? 4096 : 32768; }

// One tile program of resources/ceilings/fma.cpp does this many FLOP for each element that it writes.
constexpr std::int64_t fma_programs = 256;
constexpr double fma_flops_f32 = 2.0 * 16 * 16 * 8192, fma_flops_f64 = fma_flops_f32 / 2;

Probe host_probe(std::string source, std::vector<std::string> entries, bool reads, bool writes, DType dtype,
                 int threads) {
    Launch launch;
    launch.grid = {"R"};
    launch.threads = std::to_string(threads);
    return {.source = std::move(source),
            .entries = std::move(entries),
            .reads = reads,
            .writes = writes,
            .dtype = dtype,
            .launch = launch};
}

/// A probe that moves `bytes` in all.
Probe bandwidth_probe(std::vector<std::string> entries, bool reads, bool writes, double bytes, int threads) {
    const int tensors = (reads ? 1 : 0) + (writes ? 1 : 0);
    Probe probe = host_probe("bandwidth.cpp", std::move(entries), reads, writes, DType::f32, threads);
    probe.chunk = chunk_of(static_cast<std::int64_t>(bytes / tensors / sizeof(float)));
    probe.configuration = {{"CHUNK", probe.chunk}};
    return probe;
}

Result<BandwidthCeiling> bandwidths(Prober& prober, double bytes, int threads) {
    constexpr double expected_gbps = 30;
    const Probe copy[] = {bandwidth_probe({"copy_streaming", "copy_plain", "copy_tile_256", "copy_tile_512"}, true,
                                          true, bytes, threads)};
    const Probe read[] = {bandwidth_probe({"read_plain", "read_prefetched", "read_tile_256", "read_tile_512"}, true,
                                          false, bytes, threads)};
    const Probe write[] = {bandwidth_probe({"write_streaming", "write_plain"}, false, true, bytes, threads)};
    BandwidthCeiling point{.bytes = bytes};
    for (const auto& [probes, target] :
         {std::pair{copy, &point.copy_gbps}, std::pair{read, &point.read_gbps}, std::pair{write, &point.write_gbps}}) {
        const Result<double> measured = prober.bandwidth(std::span(probes, 1), bytes, expected_gbps);
        if (!measured) return std::unexpected(measured.error());
        *target = *measured;
    }
    return point;
}

Result<double> fma_gflops(Prober& prober, DType dtype, int threads) {
    const Probe probe = host_probe("fma.cpp", {"fma_chains"}, false, false, dtype, threads);
    const double flops = static_cast<double>(fma_programs) * (dtype == DType::f64 ? fma_flops_f64 : fma_flops_f32);
    const Result<double> seconds = prober.seconds(probe, fma_programs, fma_programs, flops * 5e-12);
    if (!seconds) return seconds;
    return flops / *seconds * 1e-9;
}

/// Measures what starting a call and its programs costs: with one empty program a thread, and with many.
Result<void> starts(Prober& prober, Ceilings& ceilings, int threads) {
    constexpr std::int64_t elements = 16, many = 1 << 18;
    const Probe probe = host_probe("empty.cpp", {"nothing"}, false, true, DType::f32, threads);
    const Result<double> one = prober.seconds(probe, elements, threads, 1e-6);
    if (!one) return std::unexpected(one.error());
    const Result<double> all = prober.seconds(probe, elements, many, 1e-3);
    if (!all) return std::unexpected(all.error());
    keep_shortest(ceilings, *one, *all, static_cast<double>(many - threads));
    return {};
}

/// One sweep over everything. A ceiling is the fastest of several sweeps: what else the machine does, and on a shared
/// one what its neighbours do, changes within seconds.
Result<void> sweep(Prober& prober, Ceilings& ceilings, int threads, const std::function<bool()>& step) {
    const auto bandwidth_points = [&](std::span<const double> sizes, int count,
                                      std::vector<BandwidthCeiling>& points) -> Result<void> {
        for (const double bytes : sizes) {
            if (!step()) return fail("cancelled");
            const Result<BandwidthCeiling> point = bandwidths(prober, bytes, count);
            if (!point) return std::unexpected(point.error());
            keep_fastest(points, *point);
        }
        return {};
    };
    if (auto measured = bandwidth_points(sizes_all_threads, threads, ceilings.all_threads); !measured) return measured;
    if (auto measured = bandwidth_points(sizes_one_thread, 1, ceilings.one_thread); !measured) return measured;
    for (const DType dtype : {DType::f32, DType::f64}) {
        for (const auto& [count, rates] :
             {std::pair{threads, &ceilings.gflops_all_threads}, std::pair{1, &ceilings.gflops_one_thread}}) {
            if (!step()) return fail("cancelled");
            const Result<double> rate = fma_gflops(prober, dtype, count);
            if (!rate) return std::unexpected(rate.error());
            (*rates)[dtype] = std::max((*rates)[dtype], *rate);
        }
    }
    if (!step()) return fail("cancelled");
    return starts(prober, ceilings, threads);
}

Result<void> measure_all(Prober& prober, Ceilings& ceilings, int threads, const Progress& progress,
                         std::stop_token stop) {
    constexpr int sweeps = 3;
    const int total = sweeps * static_cast<int>(std::size(sizes_all_threads) + std::size(sizes_one_thread) + 5);
    int done = 0;
    const auto step = [&] {
        progress("ceilings", done++, total);
        return !stop.stop_requested();
    };
    for (int i = 0; i < sweeps; ++i) {
        if (auto swept = sweep(prober, ceilings, threads, step); !swept) return swept;
    }
    progress("ceilings", total, total);
    return {};
}

}  // namespace

Result<Ceilings> measure_host_ceilings(Backend& backend, const Environment& environment, const Progress& progress,
                                       std::stop_token stop) {
    constexpr double limit_seconds = 60;
    Result<std::shared_ptr<Executor>> executor = backend.start_executor("cpu", {}, stop);
    if (!executor) return std::unexpected(executor.error());
    (*executor)->set_limit(limit_seconds, stop);
    Ceilings ceilings;
    ceilings.device = "cpu";
    ceilings.fingerprint = fingerprint(environment);
    ceilings.measured_at = now_utc();
    Prober prober(backend, **executor, "cpu", progress, stop);
    const Neighbours neighbours;
    if (auto measured = measure_all(prober, ceilings, environment.threads, progress, stop); !measured)
        return std::unexpected(measured.error());
    ceilings.quiet = neighbours.were_quiet();
    // A cache that cannot be written costs the next run its time, not this one its result.
    (void)save_ceilings(ceilings);
    return ceilings;
}

}  // namespace kernelgen

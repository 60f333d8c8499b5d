// SPDX-License-Identifier: Apache-2.0
#include "core/host/ceilings.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <functional>
#include <span>

#include "core/base/file.h"
#include "core/measure/device_lock.h"
#include "core/measure/statistics.h"

namespace kernelgen {
namespace {

constexpr double kib = 1024, mib = 1024 * kib;
constexpr double sizes_all_threads[] = {256 * kib, 2 * mib, 16 * mib, 128 * mib, 512 * mib};
constexpr double sizes_one_thread[] = {2 * mib, 128 * mib};
constexpr std::int64_t chunk_elements = 32768;  ///< f32 elements that one tile program moves

// One tile program of resources/ceilings/fma.cpp does this many FLOP for each element that it writes.
constexpr std::int64_t fma_programs = 256;
constexpr double fma_flops_f32 = 2.0 * 16 * 16 * 8192, fma_flops_f64 = fma_flops_f32 / 2;

/// A ceiling's kernels: what they read and write, and the entries that compete.
struct Probe {
    std::string source;
    std::vector<std::string> entries;  ///< one or two
    bool reads = false, writes = false;
    DType dtype = DType::f32;
};

Operator probe_operator(const Probe& probe) {
    Operator definition;
    definition.name = probe.entries[0];
    definition.symbols = {"N", "R"};
    if (probe.reads) definition.inputs = {{"x", {"N"}, {}}};
    definition.outputs = {{"out", {probe.writes ? "N" : "R"}, {}}};
    return definition;
}

Implementation implementation_of(const Probe& probe, const std::string& entry, const std::string& text, int threads) {
    Implementation implementation;
    Variant& variant = implementation.variant;
    variant.name = entry;
    variant.source = probe.source;
    variant.entry = entry;
    Launch launch;
    launch.grid = {"R"};
    if (probe.reads) launch.args.push_back("x");
    launch.args.insert(launch.args.end(), {"out", "N"});
    launch.threads = std::to_string(threads);
    variant.launches = {launch};
    implementation.text = text;
    return implementation;
}

std::string problem_of(const Probe& probe, const std::string& reason) {
    return "cannot measure ceilings with " + probe.source + ": " + reason;
}

/// Runs probes in one executor.
class Prober {
public:
    Prober(Backend& backend, Executor& executor, const Progress& progress, std::stop_token stop)
        : backend_(backend), executor_(executor), progress_(progress), stop_(std::move(stop)) {}

    /// Seconds a call of the fastest entry, for `elements` a tensor and `programs` of the grid.
    Result<double> seconds(const Probe& probe, std::int64_t elements, std::int64_t programs, int threads,
                           double expected);

private:
    Result<Call> load(const Probe& probe, const Case& binding, int slot, int threads);

    Backend& backend_;
    Executor& executor_;
    const Progress& progress_;
    std::stop_token stop_;
};

Result<Call> Prober::load(const Probe& probe, const Case& binding, int slot, int threads) {
    const Result<std::string> text = read_file(resource_folder() / "ceilings" / probe.source);
    if (!text) return std::unexpected(text.error());
    const std::string& entry =
        probe.entries[std::min<std::size_t>(static_cast<std::size_t>(slot), probe.entries.size() - 1)];
    BuildRequest request{probe_operator(probe), implementation_of(probe, entry, *text, threads), probe.dtype, "cpu"};
    const BuildResult built = backend_.build(request, stop_);
    if (built.status != Status::ok) return fail(problem_of(probe, built.reason));
    Result<Call> call = make_call(request.definition, request.implementation, binding);
    if (!call) return call;
    const Outcome loaded = executor_.load(slot, built.artifact, *call);
    if (!loaded.ok()) return fail(problem_of(probe, loaded.reason));
    return call;
}

Result<double> Prober::seconds(const Probe& probe, std::int64_t elements, std::int64_t programs, int threads,
                               double expected) {
    constexpr double shortest_sample = 200e-6;
    constexpr int pairs = 5;
    const Case binding{"", probe.dtype, {{"N", elements}, {"R", programs}}};
    const Result<Call> first = load(probe, binding, 0, threads), second = load(probe, binding, 1, threads);
    if (!first || !second) return std::unexpected(first ? second.error() : first.error());
    const Layout layout = lay_out(*first);
    if (auto grown = executor_.arena().grow(layout.total); !grown) return std::unexpected(grown.error());
    const int repeats = std::clamp(static_cast<int>(shortest_sample / expected), 1, 64);
    const Result<FileLock> lock = lock_device("cpu", FileLock::Mode::exclusive, stop_,
                                              [&] { progress_(std::format("{} ceilings", waiting_for_lock), 0, 0); });
    if (!lock) return std::unexpected(lock.error());
    if (const Outcome prepared = executor_.prepare(*first, *second, layout, repeats); !prepared.ok())
        return fail(problem_of(probe, prepared.reason));
    SampleRequest request;
    request.repeats = repeats;
    for (int i = 0; i < pairs + 1; ++i) request.candidate_first.push_back(i % 2 == 0);
    Samples samples;
    if (const Outcome sampled = executor_.sample(request, samples); !sampled.ok())
        return fail(problem_of(probe, sampled.reason));
    const auto median = [](std::vector<double>& values) {
        values.erase(values.begin());  // the first warms up
        std::ranges::sort(values);
        return quantile(values, 0.5);
    };
    return std::min(median(samples.candidate), median(samples.baseline));
}

const Probe copy_probe{"bandwidth.cpp", {"copy_streaming", "copy_plain"}, true, true};
const Probe read_probe{"bandwidth.cpp", {"read_plain", "read_prefetched"}, true, false};
const Probe write_probe{"bandwidth.cpp", {"write_streaming", "write_plain"}, false, true};

Result<double> bandwidth(Prober& prober, const Probe& probe, double bytes, int threads) {
    constexpr double expected_gbps = 30;
    const double streams = (probe.reads ? 1 : 0) + (probe.writes ? 1 : 0);
    const auto elements = static_cast<std::int64_t>(bytes / streams / 4);
    const std::int64_t programs = (elements + chunk_elements - 1) / chunk_elements;
    const Result<double> seconds = prober.seconds(probe, elements, programs, threads, bytes / expected_gbps * 1e-9);
    if (!seconds) return seconds;
    return static_cast<double>(elements) * 4 * streams / *seconds * 1e-9;
}

Result<BandwidthCeiling> bandwidths(Prober& prober, double bytes, int threads) {
    BandwidthCeiling point{.bytes = bytes};
    for (const auto& [probe, target] :
         {std::pair{&copy_probe, &point.copy_gbps}, std::pair{&read_probe, &point.read_gbps},
          std::pair{&write_probe, &point.write_gbps}}) {
        const Result<double> measured = bandwidth(prober, *probe, bytes, threads);
        if (!measured) return std::unexpected(measured.error());
        *target = *measured;
    }
    return point;
}

Result<double> fma_gflops(Prober& prober, DType dtype, int threads) {
    const Probe probe{"fma.cpp", {"fma_chains"}, false, false, dtype};
    const double flops = static_cast<double>(fma_programs) * (dtype == DType::f64 ? fma_flops_f64 : fma_flops_f32);
    const Result<double> seconds = prober.seconds(probe, fma_programs, fma_programs, threads, flops * 5e-12);
    if (!seconds) return seconds;
    return flops / *seconds * 1e-9;
}

/// Keeps the faster of what is known and what was measured now.
void keep_fastest(std::vector<BandwidthCeiling>& points, const BandwidthCeiling& now) {
    const auto known = std::ranges::find(points, now.bytes, &BandwidthCeiling::bytes);
    if (known == points.end()) return points.push_back(now);
    known->copy_gbps = std::max(known->copy_gbps, now.copy_gbps);
    known->read_gbps = std::max(known->read_gbps, now.read_gbps);
    known->write_gbps = std::max(known->write_gbps, now.write_gbps);
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
    return {};
}

Result<void> measure_all(Prober& prober, Ceilings& ceilings, int threads, const Progress& progress,
                         std::stop_token stop) {
    constexpr int sweeps = 3;
    const int total = sweeps * static_cast<int>(std::size(sizes_all_threads) + std::size(sizes_one_thread) + 4);
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
    Result<std::unique_ptr<Executor>> executor = backend.start_executor("cpu");
    if (!executor) return std::unexpected(executor.error());
    (*executor)->set_limit(limit_seconds, stop);
    Ceilings ceilings;
    ceilings.device = "cpu";
    ceilings.fingerprint = fingerprint(environment);
    ceilings.measured_at =
        std::format("{:%FT%TZ}", std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
    Prober prober(backend, **executor, progress, stop);
    if (auto measured = measure_all(prober, ceilings, environment.threads, progress, stop); !measured)
        return std::unexpected(measured.error());
    // A cache that cannot be written costs the next run its time, not this one its result.
    (void)save_ceilings(ceilings);
    return ceilings;
}

}  // namespace kernelgen

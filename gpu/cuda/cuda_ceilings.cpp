// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_ceilings.h"

#include <format>
#include <functional>
#include <span>

#include "core/backend/prober.h"
#include "core/base/text.h"
#include "gpu/cuda/nvml.h"

namespace kernelgen {
namespace {

constexpr double mib = 1 << 20;
/// Bytes that are moved in all. Around the size of an L2, each is twice the one before: there the part that stays in
/// the L2 changes the rate most.
constexpr double sizes[] = {8 * mib,   16 * mib,  32 * mib,   64 * mib,  128 * mib,
                            256 * mib, 512 * mib, 4096 * mib, 8192 * mib};
constexpr int sweeps = 2;
constexpr double expected_gbps = 3000;

// The work of one block of the kernels in resources/ceilings.
constexpr double fma_flops = 2.0 * 256 * 16 * 4096;
constexpr double tensor_products = 2048, tensor_results = 64 * 128, operand_bytes = 32;

Probe gpu_probe(std::string source, std::vector<std::string> entries, bool reads, bool writes, DType dtype,
                const std::string& threads, std::int64_t chunk) {
    Launch launch;
    launch.grid = {"R"};
    launch.block = {threads};
    return {std::move(source), Language::cuda, std::move(entries), reads, writes, dtype, launch, chunk};
}

/// The kernels that move data in one way, by how much a thread has in flight.
std::vector<Probe> bandwidth_probes(const std::string& way, bool reads, bool writes) {
    std::vector<Probe> probes;
    for (const int vectors : {1, 2, 4, 8}) {
        std::vector<std::string> entries = {std::format("{}_{}", way, vectors)};
        if (reads && writes) entries.push_back(std::format("{}_plain_{}", way, vectors));
        if (writes) entries.push_back(std::format("{}_kept_{}", way, vectors));
        probes.push_back(gpu_probe("bandwidth.cu", entries, reads, writes, DType::f32, "128", 512 * vectors));
    }
    return probes;
}

Result<BandwidthCeiling> bandwidths(Prober& prober, double bytes) {
    BandwidthCeiling point{.bytes = bytes};
    const std::vector<Probe> copy = bandwidth_probes("copy", true, true), read = bandwidth_probes("read", true, false),
                             write = bandwidth_probes("write", false, true);
    for (const auto& [probes, target] : {std::pair{&copy, &point.copy_gbps}, std::pair{&read, &point.read_gbps},
                                         std::pair{&write, &point.write_gbps}}) {
        const Result<double> measured = prober.bandwidth(*probes, bytes, expected_gbps);
        if (!measured) return std::unexpected(measured.error());
        *target = *measured;
    }
    return point;
}

struct Rate {
    std::string name;
    Probe probe;
    double flops = 0;  ///< of a block
    int least_architecture = 0;
    double* target = nullptr;
};

std::vector<Rate> rates_of(Ceilings& ceilings) {
    std::vector<Rate> rates;
    for (const DType dtype : {DType::f32, DType::f64}) {
        rates.push_back({std::string(to_string(dtype)),
                         gpu_probe("fma.cu", {"fma_chains"}, false, false, dtype, "256", 0), fma_flops, 0,
                         &ceilings.gflops_all_threads[dtype]});
    }
    struct Operands {
        std::string name;
        double bytes;
        int least_architecture;
    };
    for (const Operands& each :
         {Operands{"f16", 2, 80}, Operands{"bf16", 2, 80}, Operands{"tf32", 4, 80}, Operands{"f8e4m3", 1, 89}}) {
        const double flops = 2 * tensor_products * tensor_results * operand_bytes / each.bytes;
        rates.push_back({each.name, gpu_probe("tensor.cu", {"tensor_" + each.name}, false, false, DType::f32, "128", 0),
                         flops, each.least_architecture, &ceilings.tensor_gflops[each.name]});
    }
    return rates;
}

Result<void> measure_rate(Prober& prober, const Rate& rate, int multiprocessors) {
    constexpr int blocks_per_multiprocessor = 32;
    const std::int64_t blocks = static_cast<std::int64_t>(multiprocessors) * blocks_per_multiprocessor;
    constexpr double long_enough = 1e-3;
    const Result<double> seconds = prober.seconds(rate.probe, blocks, blocks, long_enough);
    if (!seconds) return std::unexpected(seconds.error());
    *rate.target = std::max(*rate.target, static_cast<double>(blocks) * rate.flops / *seconds * 1e-9);
    return {};
}

/// Measures what starting a call and its blocks costs: with one empty block, and with many.
Result<void> starts(Prober& prober, Ceilings& ceilings) {
    constexpr std::int64_t elements = 16, many = 1 << 20;
    const Probe probe = gpu_probe("empty.cu", {"nothing"}, false, true, DType::f32, "128", 0);
    const Result<double> one = prober.seconds(probe, elements, 1, 3e-6);
    if (!one) return std::unexpected(one.error());
    const Result<double> all = prober.seconds(probe, elements, many, 3e-4);
    if (!all) return std::unexpected(all.error());
    keep_shortest(ceilings, *one, *all, static_cast<double>(many - 1));
    return {};
}

Result<void> sweep(Prober& prober, Ceilings& ceilings, const std::vector<Rate>& rates, int multiprocessors,
                   const std::function<bool()>& step) {
    for (const double bytes : sizes) {
        if (!step()) return fail("cancelled");
        const Result<BandwidthCeiling> point = bandwidths(prober, bytes);
        if (!point) return std::unexpected(point.error());
        keep_fastest(ceilings.all_threads, *point);
    }
    for (const Rate& rate : rates) {
        if (!step()) return fail("cancelled");
        if (auto measured = measure_rate(prober, rate, multiprocessors); !measured) return measured;
    }
    if (!step()) return fail("cancelled");
    return starts(prober, ceilings);
}

}  // namespace

Result<Ceilings> measure_cuda_ceilings(Backend& backend, const std::string& device, const Environment& environment,
                                       const cuda::PresentDevice& present, const Progress& progress,
                                       std::stop_token stop) {
    constexpr double limit_seconds = 60;
    Result<std::shared_ptr<Executor>> executor = backend.start_executor(device, {}, stop);
    if (!executor) return std::unexpected(executor.error());
    (*executor)->set_limit(limit_seconds, stop);
    Ceilings ceilings;
    ceilings.device = device;
    ceilings.fingerprint = fingerprint(environment);
    ceilings.measured_at = now_utc();
    Prober prober(backend, **executor, device, progress, stop);
    std::vector<Rate> rates = rates_of(ceilings);
    std::erase_if(rates,
                  [&](const Rate& rate) { return architecture_number(present.model) < rate.least_architecture; });
    const int total = sweeps * static_cast<int>(std::size(sizes) + rates.size() + 1);
    int done = 0;
    const cuda::Nvml nvml(present.pci_bus_id);
    const auto step = [&] {
        if (nvml.compute_processes() > 1) ceilings.quiet = false;
        progress("ceilings", done++, total);
        return !stop.stop_requested();
    };
    for (int i = 0; i < sweeps; ++i) {
        if (auto swept = sweep(prober, ceilings, rates, environment.multiprocessors, step); !swept)
            return std::unexpected(swept.error());
    }
    std::erase_if(ceilings.tensor_gflops, [](const auto& rate) { return rate.second == 0; });
    progress("ceilings", total, total);
    // A cache that cannot be written costs the next run its time, not this one its result.
    (void)save_ceilings(ceilings);
    return ceilings;
}

}  // namespace kernelgen

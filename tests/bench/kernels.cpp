// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>

#include "tests/bench/bench.h"

namespace kernelgen::benchmark {

namespace {

const char* const operators[] = {"bias_add", "relu", "gelu", "silu", "softmax", "layer_norm"};

RunOptions options_for(const std::string& project, const std::vector<std::string>& cases) {
    RunOptions options;
    options.variant = "host";
    options.cases = cases;
    options.changes = tuned(project);
    return options;
}

void print_row(const std::string& project, const Round& round, const RoundCase& each) {
    if (!(each.speedup > 0)) {
        std::cout << std::format("| {} | {} | – | – | – | – | {} |\n", project, each.binding.name,
                                 to_string(round.status));
        return;
    }
    const double scale = each.seconds / each.baseline_seconds;
    std::cout << std::format("| {} | {} | {:.3f} [{:.3f}, {:.3f}] | {:.1f} | {:.1f} | {:.2f} | {} |\n", project,
                             each.binding.name, each.speedup, each.speedup_lower, each.speedup_upper,
                             each.roofline.bandwidth_gbps, each.roofline.bandwidth_gbps * scale, each.roofline.fraction,
                             to_string(round.status));
}

}  // namespace

Configuration tuned(const std::string& project) {
    if (project == "bias_add") return {{"BLOCK_M", 16}, {"BLOCK_N", 4096}};
    return {};
}

void print_environment(const Setting& setting) {
    const auto worker = start_worker(setting);
    const auto devices = worker->devices();
    if (!devices || devices->empty()) return;
    const Environment& environment = devices->front().info.environment;
    std::cout << std::format("Environment: {}, {} threads, {}, {:.0f} GiB, {}; {}; {}; {}; kernelgen {}\n\n",
                             environment.hardware, environment.threads, environment.caches, environment.memory_gib,
                             environment.instruction_set, environment.operating_system, environment.compiler,
                             environment.libraries, environment.kernelgen);
    const auto ceilings = worker->measure_ceilings("cpu", [](std::string_view, int, int) {}, {});
    if (!ceilings) return;
    std::cout << "| moved, all threads | copy GB/s | read GB/s | write GB/s |\n| --- | --- | --- | --- |\n";
    for (const BandwidthCeiling& each : ceilings->all_threads) {
        std::cout << std::format("| {:.0f} MiB | {:.1f} | {:.1f} | {:.1f} |\n", each.bytes / (1 << 20), each.copy_gbps,
                                 each.read_gbps, each.write_gbps);
    }
    for (const auto& [dtype, gflops] : ceilings->gflops_all_threads) {
        std::cout << std::format("\nFMA {}: {:.0f} GFLOP/s on all threads\n", to_string(dtype), gflops);
    }
}

void print_kernels(const Setting& setting) {
    const auto worker = start_worker(setting);
    std::cout << "\n| operator | case | against oneDNN | GB/s | oneDNN GB/s | of ceiling | status |\n"
                 "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const std::string project : operators) {
        for (const std::string dtype : {"f32", "f16", "bf16"}) {
            const RunOptions options =
                options_for(project, {"P=4096,D=4096,dtype=" + dtype, "P=16384,D=1024,dtype=" + dtype});
            const RoundDetail detail = time_project(setting, *worker, project, options);
            for (const RoundCase& each : detail.round.cases) print_row(project, detail.round, each);
        }
    }
}

void print_control(const Setting& setting) {
    constexpr int runs = 40;
    int holds = 0, narrow = 0;
    double widest = 0;
    for (int i = 0; i < runs; ++i) {
        const auto worker = start_worker(setting);  // each run is one of its own, as a user's would be
        RunOptions options = options_for("bias_add", {});
        options.baseline = "host";
        const Round round = time_project(setting, *worker, "bias_add", options).round;
        if (round.cases.empty() || round.cases[0].speedup <= 0) continue;
        const RoundCase& each = round.cases[0];
        const double half_width = (each.speedup_upper - each.speedup_lower) / 2;
        holds += each.speedup_lower <= 1 && each.speedup_upper >= 1 ? 1 : 0;
        narrow += half_width < 0.02 ? 1 : 0;
        widest = std::max(widest, half_width);
        std::cerr << std::format("control {}: {:.4f} [{:.4f}, {:.4f}]\n", i, each.speedup, each.speedup_lower,
                                 each.speedup_upper);
    }
    std::cout << std::format(
        "\nA kernel against itself, {} runs of bias_add: the 95 % interval holds 1.0 in {}, is narrower "
        "than ±2 % in {}; the widest is ±{:.2f} %.\n",
        runs, holds, narrow, 100 * widest);
}

}  // namespace kernelgen::benchmark

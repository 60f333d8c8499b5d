// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <format>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/base/process.h"
#include "core/project/project_file.h"
#include "core/round/history.h"
#include "core/round/history_line.h"
#include "tests/bench/bench.h"

namespace kernelgen::benchmark {

namespace {

double seconds_of(const auto& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median_seconds(int times, const auto& work) {
    std::vector<double> all;
    for (int i = 0; i < times; ++i) all.push_back(seconds_of([&] { work(i); }));
    std::ranges::sort(all);
    return all[all.size() / 2];
}

void print_row(const std::string& what, const std::string& measured, const std::string& target) {
    std::cout << "| " << what << " | " << measured << " | " << target << " |\n";
}

std::string milliseconds(double seconds) { return std::format("{:.1f} ms", 1e3 * seconds); }

BuildRequest host_build(const Setting& setting) {
    const Validated<Project> project = load_project(setting.projects / "softmax");
    const Variant& variant = *project->find_variant("host");
    return {.definition = project->definition,
            .implementation = {variant, *source_text(*project, variant), configuration_of(variant)},
            .dtype = DType::f32,
            .device = "cpu"};
}

void print_builds(const Setting& setting) {
    const double start = median_seconds(9, [&](int) { start_worker(setting); });
    print_row("worker start, to its greeting and back to its end", milliseconds(start), "≤ 100 ms");
    const auto worker = start_worker(setting);
    const BuildRequest request = host_build(setting);
    const auto stamp = std::chrono::system_clock::now().time_since_epoch().count();
    const double cold = median_seconds(5, [&](int i) {
        BuildRequest fresh = request;  // a text that no cache has seen
        fresh.implementation.text += std::format("\n// {} {}\n", stamp, i);
        worker->build(fresh, "", {}, {});
    });
    print_row("cold build of one kernel (softmax f32)", milliseconds(cold), "≤ 1500 ms");
    worker->build(request, "", {}, {});
    const double cached = median_seconds(21, [&](int) { worker->build(request, "", {}, {}); });
    print_row("cached build", milliseconds(cached), "≤ 20 ms");
}

void print_whole_run(const Setting& setting) {
    const std::filesystem::path copy = setting.scratch / "bias_add";
    std::filesystem::copy(setting.projects / "bias_add", copy, std::filesystem::copy_options::recursive);
    std::ofstream(copy / "bias_add.cpp", std::ios::app) << "// " << ::getpid() << ": a text that no cache has seen\n";
    const double seconds = seconds_of([&] {
        const auto finished = run_to_end(
            {.arguments = {setting.program, "run", copy.string()}, .environment = {}, .folder = "", .descriptors = {}});
        if (!finished || !finished->exit.success())
            std::cerr << "run failed: " << (finished ? finished->output : finished.error().message.text());
    });
    print_row("`kernelgen run projects/bias_add`, cold kernel", std::format("{:.1f} s", seconds), "≤ 15 s");
}

/// 10,000 rounds like the one that `round` was.
void print_long_history(const Setting& setting) {
    const std::filesystem::path copy = setting.scratch / "bias_add";
    const Result<History> one = load_history(copy);
    if (!one || one->rounds.empty()) return;
    std::ofstream file(copy / "history.jsonl", std::ios::trunc);
    Round round = one->rounds[0];
    for (int i = 0; i < 10'000; ++i) {
        round.number = i;
        round.parent = i > 0 ? std::optional(i - 1) : std::nullopt;
        file << history_line(round) << "\n";
    }
    file.close();
    std::size_t count = 0;
    const double seconds = seconds_of([&] {
        const Validated<Project> project = load_project(copy);
        const Result<History> history = load_history(copy);
        count = history ? history->rounds.size() : 0;
    });
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    print_row(std::format("opening a project with {} recorded rounds", count),
              std::format("{}, {} MB peak of the process", milliseconds(seconds), usage.ru_maxrss / 1024),
              "≤ 1 s, ≤ 200 MB");
}

}  // namespace

void print_latencies(const Setting& setting) {
    std::cout << "\n| what | measured | to reach |\n| --- | --- | --- |\n";
    print_builds(setting);
    print_whole_run(setting);
    print_long_history(setting);
}

}  // namespace kernelgen::benchmark

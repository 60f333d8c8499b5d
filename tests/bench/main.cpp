// SPDX-License-Identifier: Apache-2.0
// `./dev bench`: the figures of docs/PERFORMANCE.md, as Markdown. Sections: environment copies kernels half
// bodies control latencies.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <utility>

#include "core/base/file.h"
#include "core/project/project_file.h"
#include "tests/bench/bench.h"

namespace kernelgen::benchmark {

std::unique_ptr<WorkerClient> start_worker(const Setting& setting) {
    auto worker = WorkerClient::start({setting.program, "worker"});
    if (worker) return std::move(*worker);
    std::cerr << worker.error().message << "\n";
    std::exit(1);
}

RoundDetail time_project(const Setting& setting, WorkerClient& worker, const std::string& name,
                         const RunOptions& options) {
    Validated<Project> project = load_project(setting.projects / name);
    if (project) project->performance.budget_seconds = setting.budget_seconds;
    const Validated<RunPlan> plan = project ? plan_run(*project, options) : std::unexpected(project.error());
    if (!plan) {
        std::cerr << name << ": " << to_string(plan.error()) << "\n";
        std::exit(1);
    }
    RoundDetail detail = run_round(*plan, worker, [](std::string_view, int, int) {}, {});
    if (detail.round.status != Status::ok) {
        std::cerr << name << ": " << to_string(detail.round.status) << ": " << detail.round.reason << "\n";
    }
    return detail;
}

namespace {

int run(std::vector<std::string> sections) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernelgen";
    const std::filesystem::path scratch =
        std::filesystem::temp_directory_path() / ("kernelgen-bench-" + std::to_string(::getpid()));
    const Setting setting{program, resource_folder() / "projects", scratch};
    std::filesystem::create_directories(scratch);
    const std::vector<std::pair<std::string, std::function<void(const Setting&)>>> all = {
        {"environment", print_environment}, {"copies", print_copies}, {"kernels", print_kernels},
        {"half", print_half_precision},     {"bodies", print_bodies}, {"control", print_control},
        {"latencies", print_latencies},
    };
    for (const std::string& section : sections) {
        if (std::ranges::none_of(all, [&](const auto& each) { return each.first == section; })) {
            std::cerr << "unknown section `" << section
                      << "`; there are: environment copies kernels half bodies control latencies\n";
            return 1;
        }
    }
    for (const auto& [name, print] : all) {
        if (sections.empty() || std::ranges::contains(sections, name)) print(setting);
    }
    std::filesystem::remove_all(scratch);
    return 0;
}

}  // namespace

}  // namespace kernelgen::benchmark

int main(int count, char** values) { return kernelgen::benchmark::run({values + 1, values + count}); }

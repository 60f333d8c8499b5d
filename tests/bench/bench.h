// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/engine/run.h"

namespace kernelgen::benchmark {

/// What every section of the benchmark needs.
struct Setting {
    std::string program;             ///< the kernelgen executable
    std::filesystem::path projects;  ///< the sample projects' folder
    std::filesystem::path scratch;   ///< a folder of its own, removed at the end
    double budget_seconds = 5;       ///< of each timed case
};

/// Verifies and times one variant of a sample project on cases; rounds are not recorded. Ends the program where the
/// project cannot be opened.
RoundDetail time_project(const Setting& setting, WorkerClient& worker, const std::string& project,
                         const RunOptions& options);

/// bias_add ships the configuration that its story starts from; this is where the story ends on a CPU.
Configuration tuned(const std::string& project);

std::unique_ptr<WorkerClient> start_worker(const Setting& setting);

/// Each prints one Markdown table to stdout.
void print_environment(const Setting& setting);
void print_kernels(const Setting& setting);         ///< against oneDNN and the measured ceilings
void print_copies(const Setting& setting);          ///< bias_add and relu against the copy ceiling, interleaved
void print_half_precision(const Setting& setting);  ///< f16 and bf16 against this project's f32, interleaved
void print_bodies(const Setting& setting);          ///< bodies that users try, against plain loops
void print_control(const Setting& setting);         ///< a kernel against itself, 40 runs
void print_latencies(const Setting& setting);       ///< worker start, builds, a whole run, a long history

}  // namespace kernelgen::benchmark

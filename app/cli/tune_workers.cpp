// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune_workers.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/program_path.h"
#include "core/base/text.h"
#include "core/engine/usage.h"

namespace kernelgen::cli {

namespace {

constexpr std::string_view slurm_prefix = "slurm:";
constexpr long long most_slurm_workers = 1000;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// The number of workers that "slurm:N" asks for; 0 for another text.
long long slurm_count(std::string_view text) {
    long long count = 0;
    if (!text.starts_with(slurm_prefix) || !parse_integer(text.substr(slurm_prefix.size()), count)) return 0;
    return count > most_slurm_workers ? 0 : std::max(0LL, count);
}

/// A job of one task. The shell reads the options, which may have quotes.
WorkerSource slurm_worker(const std::string& program, long long number) {
    const std::string command = "exec srun --ntasks=1 --job-name=kernelgen " + variable("KERNELGEN_SRUN");
    return {.name = std::string(slurm_prefix) + std::to_string(number),
            .command = {"sh", "-c", command + " \"$0\" worker", program},
            .is_queued = true};
}

/// Numbers workers that have the same name.
void make_names_unique(std::vector<WorkerSource>& sources) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::string name = sources[i].name;
        int number = 1;
        for (std::size_t k = i + 1; k < sources.size(); ++k) {
            if (sources[k].name == name) sources[k].name += " (" + std::to_string(++number) + ")";
        }
    }
}

}  // namespace

Validated<std::vector<WorkerSource>> worker_sources(const Context& context, const std::string& workers) {
    std::vector<WorkerSource> sources;
    for (const std::vector<std::string>& command : context.workers)
        sources.push_back({.name = join(command, " "), .command = command});
    const long long count = slurm_count(workers);
    if (!workers.empty() && count == 0) {
        return std::unexpected(Diagnostics{usage(
            "--workers", "`" + workers + "` names no workers",
            "slurm:N starts N workers with srun (1 to 1000), such as --workers slurm:4; for others give --worker")});
    }
    if (count > 0 && !is_on_path("srun")) {
        return std::unexpected(Diagnostics{usage(
            "--workers", "there is no `srun` on PATH",
            "install Slurm's client programs (Debian: slurm-client), or give --worker CMD once for each worker")});
    }
    for (long long i = 1; i <= count; ++i) sources.push_back(slurm_worker(context.program, i));
    if (sources.empty()) sources.push_back({.name = "", .command = {context.program, "worker"}});
    if (sources.size() == 1) sources.front().name.clear();
    make_names_unique(sources);
    return sources;
}

}  // namespace kernelgen::cli

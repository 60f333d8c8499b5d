// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/hampered_tuning.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>

#include "core/base/scratch_folder.h"
#include "core/host/cpu_cap.h"
#include "core/host/memory_neighbour.h"
#include "core/host/thread_pool.h"

namespace kernelgen {

namespace {

/// The same neighbour as beside the timing, which works as long as it lives.
std::unique_ptr<MemoryNeighbour> working_neighbour(const TakenFromCpu& taken) {
    if (taken.neighbour.threads == 0) return nullptr;
    const std::vector<int> cpus = allowed_cpus();
    const std::size_t kept = taken.threads > 0 ? static_cast<std::size_t>(taken.threads) : cpus.size();
    const std::span<const int> places =
        taken.neighbour.shares_processors ? std::span(cpus).first(kept) : std::span(cpus).subspan(kept);
    auto neighbour = std::make_unique<MemoryNeighbour>(
        places, std::max(1, taken.neighbour.threads / std::max(1, static_cast<int>(places.size()))));
    neighbour->set_duty(taken.neighbour.duty);
    neighbour->start();
    return neighbour;
}

}  // namespace

Result<Tuning> tune_hampered(TunePlan plan, const TakenFromCpu& taken, const std::vector<std::string>& worker,
                             const TuneProgress& progress, std::stop_token stop) {
    Result<ScratchFolder> scratch = ScratchFolder::create(std::filesystem::temp_directory_path(), "kernelgen-what-if-");
    if (!scratch) return std::unexpected(scratch.error());
    plan.run.project.folder = scratch->path;
    plan.options.keeps_winner = plan.options.records_rounds = false;
    const std::unique_ptr<MemoryNeighbour> neighbour = working_neighbour(taken);
    std::optional<CpuCap> cap;
    if (taken.threads > 0) cap.emplace(taken.threads);
    const auto hampered = WorkerClient::start(worker, stop);
    cap.reset();
    if (!hampered) return std::unexpected(hampered.error());
    if (const auto nothing = nothing_to_tune(plan, **hampered, stop)) return std::unexpected(*nothing);
    Result<std::vector<CaseTuning>> done = tune(plan, **hampered, progress, stop);
    if (neighbour) neighbour->rest();
    if (!done) return std::unexpected(done.error());
    if (done->empty() || !done->front().tuning.outcome) return fail("the tuning was stopped before it was decided");
    return std::move(done->front().tuning);
}

}  // namespace kernelgen

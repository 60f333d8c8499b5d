// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate_store.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/gate/gate_history.h"

namespace kernelgen {

namespace {

Result<GateFile> gate_of(const std::filesystem::path& project_folder) {
    Validated<GateFile> gate = load_gate(project_folder);
    if (!gate) return fail(to_string(gate.error()));
    return std::move(*gate);
}

/// Held while `gate.json` is read, changed and written: on `gate.jsonl`, since `gate.json` is replaced.
Result<FileLock> lock_of(const std::filesystem::path& project_folder) {
    return FileLock::acquire(gate_history_path(project_folder), FileLock::Mode::exclusive);
}

/// Keeps the thresholds of the baseline before, and those limits of errors that its numbers do not pass.
void take_limits(StoredBaseline& stored, const StoredBaseline& before) {
    for (StoredCase& each : stored.cases) {
        const StoredCase* old = before.find(each.binding);
        if (old == nullptr) continue;
        each.threshold = old->threshold;
        for (const AccuracyMeasure& measure : accuracy_measures()) {
            const std::optional<double>& limit = old->limits.*measure.limit;
            if (limit && each.accuracy.*measure.value <= *limit) each.limits.*measure.limit = limit;
        }
    }
}

}  // namespace

Result<StoredBaseline> store_baseline(const std::filesystem::path& project_folder, const RoundDetail& detail) {
    Result<StoredBaseline> stored = baseline_of(detail);
    if (!stored) return stored;
    const Result<FileLock> lock = lock_of(project_folder);
    if (!lock) return std::unexpected(lock.error());
    Result<GateFile> gate = gate_of(project_folder);
    if (!gate) return std::unexpected(gate.error());
    if (const StoredBaseline* before = gate->find(stored->implementation.variant.name, stored->device))
        take_limits(*stored, *before);
    gate->put(*stored);
    if (const auto saved = save_gate(project_folder, *gate); !saved) return std::unexpected(saved.error());
    return stored;
}

KeptCheck check_and_keep(const RunPlan& plan, const StoredBaseline& stored, const GateOptions& options,
                         WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    const std::filesystem::path& folder = plan.project.folder;
    CheckHistory past = load_checks(folder, plan.candidate.variant.name, plan.options.device);
    KeptCheck kept{check_gate(plan, stored, options, past.checks, worker, progress, stop), {}, std::move(past.warning)};
    if (!stop.stop_requested()) kept.kept = append_check(folder, kept.check);
    return kept;
}

Result<void> store_thresholds(const std::filesystem::path& project_folder, const GateCheck& check) {
    if (check.status != Status::ok) return fail("the check was not ok, so it has no thresholds to store");
    const Result<FileLock> lock = lock_of(project_folder);
    if (!lock) return std::unexpected(lock.error());
    Result<GateFile> gate = gate_of(project_folder);
    if (!gate) return std::unexpected(gate.error());
    const StoredBaseline* found = gate->find(check.variant, check.device);
    if (found == nullptr) return fail("the baseline of the check is not stored any more");
    StoredBaseline changed = *found;
    for (StoredCase& each : changed.cases) {
        const auto checked =
            std::ranges::find_if(check.cases, [&](const GatedCase& its) { return changed.find(its.binding) == &each; });
        if (checked == check.cases.end() || checked->runs == 0) continue;
        each.threshold = checked->threshold.share;
        each.limits = limits_in_use(each.accuracy, each.limits);
    }
    gate->put(std::move(changed));
    return save_gate(project_folder, *gate);
}

}  // namespace kernelgen

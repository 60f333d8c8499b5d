// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/gate/check.h"

namespace kernelgen {

/// Makes what a round measured the baseline of its variant and device, in `gate.json`. Errors: as `baseline_of`;
/// `gate.json` cannot be read or written.
Result<StoredBaseline> store_baseline(const std::filesystem::path& project_folder, const RoundDetail& detail);

/// A check, and whether it was appended to `gate.jsonl`.
struct KeptCheck {
    GateCheck check;
    Result<void> kept;
};

/// As `check_gate`, with thresholds learned from the checks in `gate.jsonl`, to which this one is appended unless it
/// was stopped.
KeptCheck check_and_keep(const RunPlan& plan, const StoredBaseline& stored, const GateOptions& options,
                         WorkerClient& worker, const Progress& progress, std::stop_token stop);

/// Stores the thresholds that a check used and, as limits, 1.1 times the larger error of then and now. Errors: the
/// check was not `ok`; its baseline is gone; `gate.json` cannot be read or written.
Result<void> store_thresholds(const std::filesystem::path& project_folder, const GateCheck& check);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/gate/check.h"

namespace kernelgen {

/// Makes what a round measured the baseline of its variant and device, in `gate.json`, under a lock. Thresholds and
/// limits of errors that are written there stay, but for limits that the round passes. Errors: as `baseline_of`;
/// `gate.json` cannot be read or written.
Result<StoredBaseline> store_baseline(const std::filesystem::path& project_folder, const RoundDetail& detail);

/// A check, and whether it was appended to `gate.jsonl`.
struct KeptCheck {
    GateCheck check;
    Result<void> kept;
    Said warning = {};  ///< of the earlier checks
};

/// As `check_gate`, with thresholds learned from the checks in `gate.jsonl`, to which this one is appended unless it
/// was stopped.
KeptCheck check_and_keep(const RunPlan& plan, const StoredBaseline& stored, const GateOptions& options,
                         WorkerClient& worker, const Progress& progress, std::stop_token stop);

/// Stores the thresholds and the limits of the errors that a check used, so that they can be edited. A worse result
/// does not move them. Errors: the check was not `ok`; its baseline is gone; `gate.json` cannot be read or written.
Result<void> store_thresholds(const std::filesystem::path& project_folder, const GateCheck& check);

}  // namespace kernelgen

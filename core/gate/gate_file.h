// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gate/accuracy.h"
#include "core/project/project.h"
#include "core/round/record.h"

namespace kernelgen {

/// The version of `gate.json`.
inline constexpr int gate_schema_version = 2;

/// What is stored of a case.
struct StoredCase {
    Case binding;
    double speedup = 0, speedup_lower = 0, speedup_upper = 0;  ///< over the project's baseline
    GatedAccuracy accuracy;
    std::optional<double> threshold;  ///< the smallest change that counts, as a share
    AccuracyLimits limits;
};

/// A variant as it was when it was recorded: its sources, to be built again, and what was measured then.
struct StoredBaseline {
    int round = 0;     ///< the round that measured it
    std::string time;  ///< ISO 8601, UTC
    std::string device;
    std::string baseline;  ///< the variant over which the speedups are
    std::string environment;
    std::string definition;  ///< hash of the operator's definition
    Implementation implementation;
    std::vector<StoredCase> cases;

    /// The stored case of these sizes and dtype, by whatever name; null where there is none.
    const StoredCase* find(const Case& binding) const;
};

/// `gate.json` in the project's folder: at most one baseline for each variant and device. It needs no other file.
struct GateFile {
    std::vector<StoredBaseline> baselines;

    const StoredBaseline* find(std::string_view variant, std::string_view device) const;
    void put(StoredBaseline stored);  ///< replaces the one of the same variant and device
};

std::string hash_of_definition(const Operator& definition);

/// What a round stores. Errors: the round is not `ok`, or a case of it was not timed.
Result<StoredBaseline> baseline_of(const RoundDetail& detail);

std::filesystem::path gate_path(const std::filesystem::path& project_folder);
/// A missing file has no baselines.
Validated<GateFile> load_gate(const std::filesystem::path& project_folder);
Validated<GateFile> parse_gate(std::string_view text, const std::filesystem::path& file);
Result<void> save_gate(const std::filesystem::path& project_folder, const GateFile& gate);

}  // namespace kernelgen

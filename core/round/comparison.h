// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/measure/environment.h"
#include "core/project/project.h"
#include "core/round/record.h"

namespace kernelgen {

/// One variant of a comparison.
struct ComparedVariant {
    std::string variant;
    Language language = Language::cpp;
    bool compiled = false;  ///< torch: through torch.compile
    Configuration configuration;
    Status status = Status::ok;
    Said reason;
    std::vector<Said> warnings;
    std::vector<RoundCase> cases;  ///< in the comparison's order; speedups are against its baseline
    /// For each case: the values of Counters, and "cache_hit_rate"; empty where they were not read.
    std::vector<std::map<std::string, double>> counters;
    /// For each case: resources of the build, such as "registers", "occupancy", "spill_store_bytes"; empty where there
    /// are none.
    std::vector<std::map<std::string, double>> resources;
};

/// All variants of a project that run on one device, each timed in pairs with the same baseline. The baseline is among
/// them, timed against itself: the distance of its interval from 1 shows which differences are noise.
struct Comparison {
    std::string time;  ///< ISO 8601, UTC
    std::string device;
    std::string baseline;
    Environment environment;
    double budget_seconds = 0;  ///< time for the samples of a case; 0: unknown
    std::vector<Case> cases;
    std::vector<ComparedVariant> variants;  ///< in the project's order

    const ComparedVariant* find(std::string_view variant) const;
};

/// How many times as fast as `slower` the variant `faster` is in the case at `place`, computed from both speedups over
/// the baseline. Nothing where one of them was not timed.
std::optional<double> advantage(const Comparison& comparison, std::string_view faster, std::string_view slower,
                                std::size_t place);

nlohmann::json to_json(const Comparison& comparison);
Result<Comparison> comparison_from_json(const nlohmann::json& json);

/// A project keeps the last comparison of each device: `comparisons/cuda-0.json`.
std::filesystem::path comparison_path(const std::filesystem::path& project_folder, std::string_view device);
Result<void> save_comparison(const std::filesystem::path& project_folder, const Comparison& comparison);
/// The comparisons of all devices; a file that cannot be read is left out.
std::vector<Comparison> load_comparisons(const std::filesystem::path& project_folder);

}  // namespace kernelgen

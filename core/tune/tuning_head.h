// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/lang/operator.h"
#include "core/project/variant.h"

namespace kernelgen {

/// Configurations that were never tried, and why.
struct Pruned {
    Said reason;
    std::uint64_t count = 0;
    bool is_estimate = false;  ///< the count, of a space that is too large to be enumerated
};

/// Of all reasons; the largest number where it is larger than that.
std::uint64_t count_of(const std::vector<Pruned>& pruned);

/// By tunable, the values that take part in a tuning. A tunable without an entry takes part with all of its values.
using ChosenValues = std::map<std::string, std::vector<std::int64_t>>;

/// What a tuning is about: the first line of its file.
struct TuningHead {
    int number = 0;
    int first = 0;     ///< of one command that tunes several cases: the number of its first tuning
    std::string time;  ///< ISO 8601, UTC
    std::string project, variant, device;
    Case binding;
    std::vector<Case> cases;          ///< all that the command tunes, in order
    std::vector<Tunable> parameters;  ///< with the values that take part
    ChosenValues chosen;              ///< what a person chose of them
    std::vector<std::string> let, restrictions;
    Sizes sizes;  ///< other names that expressions may use: symbols and `device.*`
    std::uint64_t configurations = 0;
    std::vector<Pruned> pruned;
    Configuration incumbent;
    std::string strategy;
    std::uint64_t seed = 0;
    double budget_seconds = 0;          ///< for this case
    double command_budget_seconds = 0;  ///< for all cases of the command; 0 in older files
    std::optional<int> evaluations;     ///< the most configurations to try; nothing: no limit
    std::string objective;
    std::string environment;  ///< fingerprint
    std::string source_hash;
    std::string headers_hash;          ///< of kernelgen's own headers, which kernels include; "" in older files
    std::string setup_hash;            ///< of the definition and the variant, without values; "" in older files
    Configuration settings;            ///< `--set`
    std::string baseline;              ///< against which the recommended configuration is run; "": the project's
    double timeout_seconds = 0;        ///< of one call of a kernel; 0 in older files
    std::vector<std::string> history;  ///< files with recordings that it began with; empty: none
};

/// The numbers of the device among the tuning's sizes, by the names that `device.` stands before there.
Sizes device_of(const TuningHead& head);

nlohmann::json to_json(const std::vector<Pruned>& pruned);

}  // namespace kernelgen

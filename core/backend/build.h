// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/artifact.h"
#include "core/backend/compiler_message.h"
#include "core/base/said.h"
#include "core/base/status.h"
#include "core/project/project.h"

namespace kernelgen {

struct BuildRequest {
    Operator definition;
    Implementation implementation;
    DType dtype = DType::f32;  ///< of the case
    std::string device = "cpu";
    std::vector<std::string>
        texts;  ///< texts of the built code that are wanted: "assembly", "ptx", "sass", "ttir", "ttgir"
    /// Python variants: the sizes of the symbols for one call, by which the build finds out what the source compiles
    /// to. Nothing: the source is only read, never executed.
    std::optional<Sizes> trial;
    double timeout_seconds = 30;  ///< for importing the file and one call, without the time for compiling
    /// For a tuning that builds while a GPU times: the build does not take the device's lock. A Python variant is then
    /// only compiled, in a process that cannot use the device.
    bool is_ahead = false;
    std::vector<Sizes> further_trials = {};  ///< Python variants: more sizes to compile for
};

struct BuildResult {
    Status status = Status::ok;
    Said reason;
    std::vector<CompilerMessage> messages;
    std::string log;  ///< the compiler's output, at most 64 KiB
    double seconds = 0;
    bool cached = false;
    std::string key;                          ///< in the cache: a hash of source, configuration, dtype, flags, compiler
    std::map<std::string, double> resources;  ///< registers, spill_store_bytes …, where the build reports them
    std::string occupancy_limiter;  ///< "registers", "shared memory", "threads", "blocks"; may be joined by " and "
    std::map<std::string, std::string> texts;  ///< the texts that were wanted; a "note" names each that is unavailable
    Artifact artifact;
};

/// What a build takes of its device, as a round records it.
struct BuildSummary {
    std::string key;                          ///< as of BuildResult; not in JSON
    std::map<std::string, double> resources;  ///< as of BuildResult: finite, 0 or more
    std::string occupancy_limiter;            ///< as of BuildResult

    bool operator==(const BuildSummary&) const = default;
};

/// The builds of one implementation.
using Builds = std::map<DType, BuildSummary>;

nlohmann::json to_json(const BuildResult& result);
BuildResult build_result_from_json(const nlohmann::json& json);

/// Builds without resources, such as those of a CPU, are left out.
nlohmann::json to_json(const Builds& builds);
/// Throws std::exception where `json` is something else: it may come from another program.
Builds builds_from_json(const nlohmann::json& json);

}  // namespace kernelgen

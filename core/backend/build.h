// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/project/project.h"

namespace kernelgen {

/// What a compiler said of one place.
struct CompilerMessage {
    std::string file;
    int line = 0, column = 0;  ///< from 1; 0 where it names none
    std::string severity;      ///< "error", "warning", "note"
    std::string text;
};

/// What an executor loads: a built file, or a library's primitive.
struct Artifact {
    Language language = Language::cpp;
    std::string path;     ///< shared object, cubin or Python file
    std::string library;  ///< of language `library`
    std::string primitive;
};

struct BuildRequest {
    Operator definition;
    Implementation implementation;
    DType dtype = DType::f32;  ///< of the case
    std::string device = "cpu";
    std::vector<std::string> texts;  ///< of the built code, wanted beside it: "ptx", "sass"
};

struct BuildResult {
    Status status = Status::ok;
    std::string reason;
    std::vector<CompilerMessage> messages;
    std::string log;  ///< the compiler's output, at most 64 KiB
    double seconds = 0;
    bool cached = false;
    std::string key;                          ///< of the cache: source, configuration, dtype, flags, compiler
    std::map<std::string, double> resources;  ///< registers, spill_store_bytes … where the build tells
    std::string occupancy_limiter;  ///< "registers", "shared memory", "threads", "blocks"; may be joined by " and "
    std::map<std::string, std::string> texts;  ///< those asked for; one that cannot be had is said by a "note"
    Artifact artifact;
};

nlohmann::json to_json(const BuildResult& result);
BuildResult build_result_from_json(const nlohmann::json& json);

}  // namespace kernelgen

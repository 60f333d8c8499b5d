// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
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

/// A line or column that a compiler wrote; 0 where it is beyond an int.
int place_number(const std::string& digits);

/// How a judge's entry is called (docs/EXECUTOR_PROTOCOL.md).
struct Judging {
    bool in_float64 = false;  ///< with float64 for the narrower dtypes that its text names
    int noise = 0;            ///< a seed of errors that operations make; 0: none
    int ties = 0;             ///< -1, 1: what is near a tie is rounded down, up

    bool operator==(const Judging&) const = default;
};

/// What a Python variant runs: its text is executed where it runs, with the configuration's values in it.
struct PythonSource {
    std::string file;  ///< its name, for messages
    std::string text;
    std::string entry;
    Configuration configuration;
    bool compile = false;        ///< called through torch.compile
    double compile_seconds = 0;  ///< that a call may take beyond its limit; the executor itself is not told
    SourceFiles files = {};      ///< the project's other files, which it may import
    Judging judges = {};
};

/// What an executor loads: a built file, a library's primitive, or a Python file.
struct Artifact {
    Language language = Language::cpp;
    std::string path;     ///< shared object or cubin
    std::string library;  ///< of language `library`
    std::string primitive;
    PythonSource python;
};

struct BuildRequest {
    Operator definition;
    Implementation implementation;
    DType dtype = DType::f32;  ///< of the case
    std::string device = "cpu";
    std::vector<std::string> texts;  ///< of the built code, wanted beside it: "ptx", "sass", "ttir", "ttgir"
    /// Python variants: sizes on which the source is executed, to tell what it compiles to. Nothing: it is read and
    /// never executed.
    std::optional<Sizes> trial;
    double timeout_seconds = 30;  ///< of the trial: importing the file and one call, beside what it compiles
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

/// The error, at a source's last line, that the source ends inside an open block or declaration.
CompilerMessage open_end(const std::string& file, const std::string& text);

nlohmann::json to_json(const BuildResult& result);
BuildResult build_result_from_json(const nlohmann::json& json);

}  // namespace kernelgen

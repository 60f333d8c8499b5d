// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/project/project.h"

namespace kernelgen {

/// One message of a compiler.
struct CompilerMessage {
    std::string file;
    int line = 0, column = 0;  ///< from 1; 0 where the compiler names none
    std::string severity;      ///< "error", "warning", "note"
    Said text;

    bool operator==(const CompilerMessage&) const = default;
};

/// Whether one of the messages is an error.
bool tells_error(const std::vector<CompilerMessage>& messages);

/// Reads a line or column number of a compiler's message; 0 where it does not fit in an int.
int place_number(const std::string& digits);

/// How a judge's entry is called (docs/EXECUTOR_PROTOCOL.md).
struct Judging {
    bool in_float64 = false;  ///< with float64 for the narrower dtypes that its text names
    int noise = 0;            ///< a seed of errors that operations make; 0: none
    int ties = 0;             ///< -1, 1: what is near a tie is rounded down, up

    bool operator==(const Judging&) const = default;
};

/// A Python file as an executor runs it: the executor executes the text, with the configuration's values in it. Of
/// language `extension` the text is not needed: the executor loads the built file.
struct PythonSource {
    std::string file;  ///< name of the file, for messages
    std::string text;
    std::string entry;
    Configuration configuration;
    bool compile = false;        ///< called through torch.compile
    double compile_seconds = 0;  ///< time for compilation, added to a call's limit; not sent to the executor
    SourceFiles files = {};      ///< the project's other files, which it may import
    Judging judges = {};
    CallableRole callable = {};  ///< of family `callable`
    std::string interface = {};  ///< as of Variant
};

/// An artifact that an executor can load: a built file, a library's primitive, or a Python file.
struct Artifact {
    Language language = Language::cpp;
    std::string path;     ///< shared object or cubin
    std::string library;  ///< of language `library`: the library's name
    std::string primitive;
    PythonSource python;
    std::map<std::string, std::string> symbols = {};  ///< of a cubin: for each entry that is a name expression
};

/// The name that an entry has in the artifact's file.
const std::string& symbol_of(const Artifact& artifact, const std::string& entry);

struct BuildRequest {
    Operator definition;
    Implementation implementation;
    DType dtype = DType::f32;  ///< of the case
    std::string device = "cpu";
    std::vector<std::string> texts;  ///< texts of the built code that are wanted: "ptx", "sass", "ttir", "ttgir"
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

/// An error at a source's last line: the source ends inside an open block or declaration.
CompilerMessage open_end(const std::string& file, const std::string& text);

nlohmann::json to_json(const CompilerMessage& message);
nlohmann::json to_json(const BuildResult& result);
BuildResult build_result_from_json(const nlohmann::json& json);

/// Builds without resources, such as those of a CPU, are left out.
nlohmann::json to_json(const Builds& builds);
/// Throws std::exception where `json` is something else: it may come from another program.
Builds builds_from_json(const nlohmann::json& json);

}  // namespace kernelgen

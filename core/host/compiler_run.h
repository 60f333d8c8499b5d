// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/build_cache.h"
#include "core/base/said.h"

namespace kernelgen {

/// Makes the message for a symbol that nothing defines.
using Undefined = Said (*)(const std::string& symbol);

/// A build by compilers that is under way in `folder`, which has the variant's files in `sources`.
struct Compilation {
    const BuildRequest& request;
    std::filesystem::path folder;
    double limit_seconds;  ///< for all its compilers together
    std::chrono::steady_clock::time_point end;
    std::stop_token stop;
    std::vector<std::filesystem::path> read = {};  ///< of this machine's files

    Undefined if_undefined;  ///< of the linker
};

/// Changes what a compiler said of a source before it is kept.
using Retelling = std::function<void(std::vector<CompilerMessage>&)>;

/// Runs a compiler among the sources and adds to `result` what it says; where it fails, the result ends.
void run_compiler(const Compilation& job, const std::vector<std::string>& command, const Retelling& retell,
                  BuildResult& result);

/// Notes which files of this machine a compiler has read, by the rule that `-MD` wrote to `rule` in the job's folder.
void note_dependencies(Compilation& job, const std::string& rule);

/// Writes `files`, takes the CPU's lock and the device's, lets `compile` make kernel.so in the job's folder, and stores
/// it.
void build_in_scratch(const BuildCache& cache, const BuildRequest& request, const SourceFiles& files,
                      double limit_seconds, const Progress& progress, std::stop_token stop,
                      const std::function<void(Compilation&)>& compile, BuildResult& result);

/// Reads the lines "bias_add.cpp:4:9: error: …" and "relu.cu(4): error: …" of a compiler's or linker's output.
std::vector<CompilerMessage> parse_compiler_output(std::string_view output, Undefined if_undefined);

}  // namespace kernelgen

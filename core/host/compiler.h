// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"

namespace kernelgen {

/// The system's C++ compiler.
struct Compiler {
    std::string program;  ///< as found: `KERNELGEN_CXX`, else `g++`, else `c++`
    std::string version;  ///< the first line that it says of itself
};

/// Errors: none is there, with how to get one; it does not run.
Result<Compiler> find_compiler();

/// Builds a `cpp` variant into a shared object in the cache, or finds it there. Compilers run in their own process and
/// end with `stop`; two processes that build the same do it twice and the last one's file stays, which is the same.
/// `processor` is the CPU's model, which `-march=native` depends on.
BuildResult compile_kernel(const Compiler& compiler, const std::string& processor, const BuildRequest& request,
                           const Progress& progress, std::stop_token stop);

/// "bias_add.cpp:4:9: error: …" lines of a compiler's or linker's output.
std::vector<CompilerMessage> parse_compiler_output(std::string_view output);

}  // namespace kernelgen

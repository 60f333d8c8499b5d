// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/backend/backend.h"

namespace kernelgen {

/// The system's C++ compiler.
struct Compiler {
    std::string program;  ///< `KERNELGEN_CXX`, else `g++`, else `c++`
    std::string version;  ///< the first line of its `--version`
};

/// Finds the compiler. Errors: there is none, with how to get one; it does not run.
Result<Compiler> find_compiler();

/// Builds a `cpp` variant into a shared object in the cache, or finds it there. The compiler is a process of its own,
/// which is killed on `stop`. Where two processes build the same, both compile, and the last one's file stays; the
/// files are equal. `processor` is the CPU's model, on which `-march=native` depends.
BuildResult compile_kernel(const Compiler& compiler, const std::string& processor, const BuildRequest& request,
                           const Progress& progress, std::stop_token stop);

}  // namespace kernelgen

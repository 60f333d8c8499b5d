// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>

#include "core/files/import.h"

namespace kernelgen {

/// Reads a Python file with a reference and its inputs, such as a problem of KernelBench, as a project of family
/// `callable`: the reference is also the baseline. With a solution, that is the variant that runs by default; without
/// one it is the reference by torch.compile. A solution is a Python file, or a file of C++ or CUDA, which comes with
/// what it includes from its own folder. Nothing is executed. `name` is the operator's; empty: from the file's name.
/// `entry` is the solution's function; empty: it is looked for. Errors, each with file and line: a file that does not
/// parse, no reference, no inputs, no entry of the solution.
Validated<ImportedSet> read_callable(const std::filesystem::path& problem, const std::filesystem::path& solution = {},
                                     const std::string& name = {}, const std::string& entry = {});

/// As above, from a definition's text. `file` is its name, for messages.
Validated<ImportedSet> read_definition(const std::string& file, const std::string& text, const std::string& name = {});

/// What executing a file's test calls needs to be told.
struct Trace {
    std::string reference;            ///< one line of PyTorch, or a function of the file
    std::string entry;                ///< the function to judge; empty: the last one called that launches a kernel
    std::chrono::seconds limit{120};  ///< for an execution of the test calls, of which there are up to four
    std::stop_token stop = {};
};

/// Executes a file with Triton kernels and test calls, in a process with limits, and makes a project of family
/// `callable` of what its functions were called with. The solution is the file without the test calls. Errors, each
/// with what to do: no test calls, such that fail or take too long, arguments that cannot be kept, a reference that is
/// missing, fails or returns something of another form.
Validated<ImportedSet> read_traced(const std::filesystem::path& file, const Trace& trace, const std::string& name = {});

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// NVIDIA's run-time compiler on this machine: a shared library of version 12 or 13.
struct NvrtcLibrary {
    std::filesystem::path path;
    std::string version;             ///< "13.0"
    std::vector<int> architectures;  ///< for which it compiles, ascending: 75, 80, … 121
};

/// Finds the library that KERNELGEN_NVRTC names, or else the first of `cuda::library_places`. Errors: no library is
/// found, with how to get one; the named one does not load.
Result<NvrtcLibrary> find_nvrtc();

/// The input of one compilation.
struct NvrtcProgram {
    std::string name;    ///< name of the source in messages
    std::string source;  ///< CUDA C++
    std::vector<std::string> options;
    std::vector<std::string> expressions = {};  ///< that name kernels: instances of templates are compiled for them
};

struct NvrtcOutput {
    bool compiled = false;
    std::string cubin;
    std::string ptx;  ///< filled also where ptxas refused it
    std::map<std::string, std::string>
        symbols;      ///< where compiled: the names that the expressions' kernels have in both
    std::string log;  ///< of the compiler and, where the options ask, of ptxas
};

/// Compiles in this process. Errors: the library does not load, or does not have a needed function.
Result<NvrtcOutput> compile_with_nvrtc(const std::filesystem::path& library, const NvrtcProgram& program);

/// `kernelgen cuda-compiler`: reads `request.json` in the working folder and compiles in its subfolder `sources`.
/// Writes kernel.cubin, kernel.symbols and kernel.ptx (also where ptxas refused the PTX) and prints the log to stdout.
/// Exit status: 0 compiled; 1 not compiled; 2 the library or the request is missing, or a file cannot be written:
/// stdout then has only the reason.
int cuda_compiler_main();

/// The content of `request.json`.
std::string cuda_compiler_request(const std::filesystem::path& library, const NvrtcProgram& program);

/// The content of kernel.symbols; none where it cannot be read.
std::map<std::string, std::string> read_symbols(const std::filesystem::path& folder);

}  // namespace kernelgen

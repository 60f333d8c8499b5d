// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// NVIDIA's run-time compiler as it was found: a shared library of version 12 or 13.
struct NvrtcLibrary {
    std::filesystem::path path;
    std::string version;             ///< "13.0"
    std::vector<int> architectures;  ///< that it compiles for, ascending: 75, 80, … 121
};

/// What KERNELGEN_NVRTC names, or the first of `cuda::library_places`. Errors: none is there, with how to get one; the
/// named one does not load.
Result<NvrtcLibrary> find_nvrtc();

/// Folders with the headers of the toolkit that a library is of, such as cuda_fp16.h; none where it came alone.
std::vector<std::filesystem::path> toolkit_include_folders(const NvrtcLibrary& library);

/// What one compilation is asked for.
struct NvrtcProgram {
    std::string name;    ///< as messages call the source
    std::string source;  ///< CUDA C++
    std::vector<std::string> options;
};

struct NvrtcOutput {
    bool compiled = false;
    std::string cubin;
    std::string ptx;  ///< also where ptxas refused it
    std::string log;  ///< of the compiler and, where the options ask, of ptxas
};

/// Compiles in this process. Errors: the library does not load, or lacks a function.
Result<NvrtcOutput> compile_with_nvrtc(const std::filesystem::path& library, const NvrtcProgram& program);

/// `kernelgen cuda-compiler`: compiles what `request.json` of the working folder asks for, in the folder `sources`
/// within it, into kernel.cubin and kernel.ptx, of which the latter is there where ptxas refused it, too; the log goes
/// to stdout. Exit status: 0 compiled, 1 not, 2 there is no such library or request, or a file cannot be written: the
/// reason is then all that stdout has.
int cuda_compiler_main();

/// The content of `request.json`.
std::string cuda_compiler_request(const std::filesystem::path& library, const NvrtcProgram& program);

}  // namespace kernelgen

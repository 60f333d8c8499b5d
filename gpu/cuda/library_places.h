// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kernelgen::cuda {

/// The places where one of NVIDIA's libraries may be, in search order: the file that the environment variable
/// `override_name` names (then no other place), the loader's own path, the CUDA toolkit (CUDA_HOME, CUDA_PATH,
/// /usr/local/cuda), and the wheels of the `python3` on PATH (folder nvidia/`wheel`). `sonames`: the preferred one
/// first.
std::vector<std::string> library_places(const char* override_name, const std::vector<std::string>& sonames,
                                        const std::string& wheel);

/// Where CUDA toolkits may be installed, in search order: CUDA_HOME, CUDA_PATH, /usr/local/cuda.
std::vector<std::filesystem::path> toolkit_folders();

/// Where a tool of CUDA, such as nvdisasm, is looked for: on PATH, in CUDA toolkits, then in the Triton of a Python
/// installation, which brings its own.
std::vector<std::string> tool_places(const std::string& program);

}  // namespace kernelgen::cuda

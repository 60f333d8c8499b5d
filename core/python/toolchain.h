// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// The flags with which C++ is compiled for the interpreter's PyTorch and linked to it.
struct TorchToolchain {
    std::vector<std::string> compile, link;
    std::vector<std::string> nvcc;       ///< further ones of CUDA C++
    std::vector<std::string> link_cuda;  ///< further ones for a GPU; none where PyTorch has no CUDA
};

/// Asks PyTorch, which takes seconds, once for each process. Errors, with what to do: it cannot be imported. Thread
/// safe.
const Result<TorchToolchain>& torch_toolchain();

}  // namespace kernelgen

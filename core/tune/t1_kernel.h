// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tune/t1.h"
#include "core/tune/t1_argument.h"

namespace kernelgen {

/// What the `KernelSpecification` of a T1 file says of a CUDA kernel.
struct T1Kernel {
    std::string name, file, benchmark;
    std::vector<std::string> options;      ///< of the compiler
    std::vector<std::int64_t> problem;     ///< `ProblemSize`; may be empty
    std::vector<std::string> grid, block;  ///< expressions over the parameters
    std::string shared_bytes;              ///< an expression; empty: none
    std::vector<T1Argument> arguments;     ///< in the kernel's order
};

/// `space` is what `read_t1` says of the same file; `file` is its name in errors. Errors: no kernel, another language
/// than CUDA, those of `read_t1_argument`, no way to tell the grid.
Validated<T1Kernel> read_t1_kernel(std::string_view text, const SpaceDescription& space, const std::string& file);

}  // namespace kernelgen

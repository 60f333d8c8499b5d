// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/dtype.h"
#include "core/tune/t1.h"

namespace kernelgen {

/// An argument of a kernel: a vector of this many elements, or a scalar with this value.
struct T1Argument {
    std::string name;
    DType dtype = DType::f32;
    bool is_output = false;
    bool is_constant = false;  ///< in `__constant__` memory
    std::int64_t elements = 0;
    std::string value = {};  ///< of a scalar, as C++ has it; "": it is a vector

    bool is_scalar() const { return !value.empty(); }
};

/// What the `KernelSpecification` of a T1 file says of a CUDA kernel.
struct T1Kernel {
    std::string name, file, benchmark;
    std::vector<std::string> options;      ///< of the compiler
    std::vector<std::int64_t> problem;     ///< `ProblemSize`
    std::vector<std::string> grid, block;  ///< expressions over the parameters
    std::string shared_bytes;              ///< an expression; empty: none
    std::vector<T1Argument> arguments;     ///< in the kernel's order
};

/// `space` is what `read_t1` says of the same file; `file` is its name in errors. Errors: no kernel, another language
/// than CUDA, a vector that the kernel both reads and writes, a scalar without a value, a type or a size that cannot be
/// read, no way to tell the grid.
Validated<T1Kernel> read_t1_kernel(std::string_view text, const SpaceDescription& space, const std::string& file);

}  // namespace kernelgen

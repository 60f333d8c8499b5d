// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json_reader.h"
#include "core/tensor/dtype.h"
#include "core/tune/t1.h"

namespace kernelgen {

/// An argument of a kernel: a vector of this many elements, or a scalar with this value.
struct T1Argument {
    std::string name;  ///< may be empty
    DType dtype = DType::f32;
    bool is_output = false;
    bool is_begun = false;     ///< an output that the file begins with values
    bool is_constant = false;  ///< in `__constant__` memory
    std::int64_t elements = 0;
    std::string value = {};  ///< of a scalar, as C++ has it; "": it is a vector

    bool is_scalar() const { return !value.empty(); }
};

/// Reads an argument, whose size may name the problem's, and the parameters' largest values. Errors are added to the
/// place's diagnostics: a vector that the kernel both reads and writes (unless it is an `Output` that begins with a
/// constant), a scalar without a value, a type or a size that cannot be read.
T1Argument read_t1_argument(const JsonPlace& place, const std::vector<std::int64_t>& problem,
                            const SpaceDescription& space);

}  // namespace kernelgen

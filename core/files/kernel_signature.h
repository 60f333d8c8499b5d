// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// A parameter of a kernel in the text of its source.
struct KernelParameter {
    std::size_t begin = 0;  ///< where its text begins
    std::string text, name;
};

/// The definition of a `__global__` function in a source.
struct KernelSignature {
    std::size_t begin = 0;  ///< of `__global__`
    bool is_extern_c = false;
    std::vector<KernelParameter> parameters;
    std::size_t body = 0;  ///< the place behind the `{` of its body
};

/// Finds the definition of a kernel. Comments are passed over; in the parameters' texts they are blanks. Errors: there
/// is none; a template.
Result<KernelSignature> find_kernel(const std::string& source, const std::string& name);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/core_generate/guarded_arguments.h"

namespace kernelgen::tests {

/// Tensors of any length on a machine of any size: memory comes into being where it is written, and holds zeros
/// elsewhere.
class SparseArguments : public Arguments {
public:
    /// Throws std::bad_alloc where the system reserves memory for what is not written.
    SparseArguments(const Operator& definition, DType dtype, const Sizes& sizes);
    SparseArguments(const SparseArguments&) = delete;
    SparseArguments& operator=(const SparseArguments&) = delete;
    ~SparseArguments();

    DType dtype() const { return dtype_; }
    const Sizes& sizes() const { return sizes_; }

    /// Puts values at the end of an input.
    void set_end(std::size_t input, const std::vector<double>& values);
    /// The last values of an output.
    std::vector<double> end_of(std::size_t output, std::size_t count) const;

private:
    char* end(std::size_t buffer, std::size_t values) const;

    const Operator& definition_;
    DType dtype_;
    Sizes sizes_;
    std::vector<std::size_t> counts_;  ///< elements of each buffer
};

}  // namespace kernelgen::tests

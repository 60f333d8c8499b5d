// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/generate/kernel_text.h"

namespace kernelgen {

/// The parts that the sources of all CUDA kernels share.
class CudaText : protected KernelText {
public:
    using KernelText::KernelText;

protected:
    /// Writes the head of the source: the differences from the definition, the header, and the arithmetic's type.
    void write_cuda_head(std::string_view explanation);
    /// Whether a tensor has an element for each row and column, without broadcasting.
    bool fills_space(const Tensor& tensor) const;
    /// Input nodes, in order of the operator's inputs.
    std::vector<int> input_nodes() const;
};

}  // namespace kernelgen

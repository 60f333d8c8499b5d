// SPDX-License-Identifier: Apache-2.0
#include "core/generate/cuda_text.h"

#include <algorithm>

namespace kernelgen {

namespace {

bool has_sigmoid(const Body& body) { return std::ranges::contains(body.nodes, Op::sigmoid, &Node::op); }

}  // namespace

void CudaText::write_cuda_head(std::string_view explanation) {
    write_head(explanation);
    const Validated<Body> as_defined = analyse(definition_);
    if (has_sigmoid(body_) && as_defined && !has_sigmoid(*as_defined))
        source_.line(
            "// 1 + tanh(a) is written as 2 sigmoid(2 a): fewer operations, and accurate where tanh is near -1.");
    write_include("kernelgen.cuh");
    write_arithmetic(true);
}

}  // namespace kernelgen

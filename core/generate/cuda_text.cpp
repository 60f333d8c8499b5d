// SPDX-License-Identifier: Apache-2.0
#include "core/generate/cuda_text.h"

#include <algorithm>

#include "core/generate/row_index.h"

namespace kernelgen {

void CudaText::write_cuda_head(std::string_view explanation) {
    write_head(explanation);
    const bool has_sigmoid = std::ranges::any_of(body_.nodes, [](const Node& node) { return node.op == Op::sigmoid; });
    if (has_sigmoid && definition_.body.find("sigmoid") == std::string::npos)
        source_.line(
            "// 1 + tanh(a) is written as 2 sigmoid(2 a): fewer operations, and accurate where tanh is near -1.");
    write_include("kernelgen.cuh");
    write_arithmetic(true);
}

bool CudaText::fills_space(const Tensor& tensor) const {
    return !tensor.shape.empty() && dimension(tensor.shape.back()) == column_count() &&
           row_of(tensor) == (product_text({body_.space.begin(), body_.space.end() - 1}) == "1" ? "0" : "i");
}

std::vector<int> CudaText::input_nodes() const {
    std::vector<int> nodes;
    for (int index = 0; index < static_cast<int>(definition_.inputs.size()); ++index) {
        for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
            if (at(node).op == Op::input && at(node).index == index) nodes.push_back(node);
        }
    }
    return nodes;
}

}  // namespace kernelgen

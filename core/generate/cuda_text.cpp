// SPDX-License-Identifier: Apache-2.0
#include "core/generate/cuda_text.h"

#include <algorithm>

#include "core/generate/row_index.h"

namespace kernelgen {

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

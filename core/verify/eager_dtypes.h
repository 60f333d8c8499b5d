// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// Which of f16 and bf16 PyTorch may compute the body in, operation by operation on tensors of the dtype, with each
/// result rounded to it. To find out, the body is evaluated in this way on normal inputs of two seeds, with the sizes
/// of the dtype's cases (of large cases a part), and the outputs are judged like a variant's. A dtype that no case has
/// is included where all other dtypes are. None where tensors have dtypes of their own, where the definition has
/// `arithmetic`, where one function of PyTorch is the operator, and without a body.
std::vector<DType> eager_dtypes(const Project& project);

}  // namespace kernelgen

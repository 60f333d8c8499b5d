// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// Those of f16 and bf16 in which PyTorch may compute the body as a person would write it: operation by operation on
/// tensors of the dtype, each result rounded to it. They are found by evaluating the body so, on normal inputs of two
/// seeds in the sizes of the dtype's cases (of large ones a part), and judging the outputs as a variant's. A dtype that
/// no case has counts where all others do. None where tensors have dtypes of their own, where the definition names its
/// arithmetic, where PyTorch has a function that is the operator, and without a body.
std::vector<DType> eager_dtypes(const Project& project);

}  // namespace kernelgen

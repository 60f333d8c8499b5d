// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// The body with squares, cubes and fourth powers written as products.
Body with_products(const Body& lowered);

/// The body with powers of 0.5 and -0.5 written as roots that are right at -Inf and -0, where PyTorch's `pow` of such a
/// number, which is a square root, is not: Inf and 0 there, and their reciprocals.
Body with_exact_roots(const Body& lowered);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// The body with squares, cubes and fourth powers written as products.
Body with_products(const Body& lowered);

/// The body with powers of 0.5 and -0.5 written as square roots that are right at -Inf and -0: the results there are
/// Inf and 0, or their reciprocals. PyTorch's `pow` with such an exponent is a plain square root, which differs at
/// these values.
Body with_exact_roots(const Body& lowered);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// The body with squares, cubes and fourth powers written as products.
Body with_products(const Body& lowered);

}  // namespace kernelgen

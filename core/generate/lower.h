// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// Rewrites the body with fewer kinds of nodes. `row_var(v)` becomes `row_mean((v - row_mean(v))²)`, so that mean and
/// differences are shared with other parts of the body. A reduction of a value without columns becomes that value.
/// Operations on constants become constants. Unused nodes are removed. `depth` of a node becomes the number of passes
/// over a row that its value needs.
Body lower(const Body& body);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// The body in fewer kinds of node: `row_var(v)` becomes `row_mean((v - row_mean(v))²)`, so that it shares the mean and
/// the differences with what the body says itself; a reduction of a value that has no columns becomes that value;
/// operations on constants become constants. Nodes that nothing uses any more are gone; depths count the passes over a
/// row that a node's value needs.
Body lower(const Body& body);

}  // namespace kernelgen

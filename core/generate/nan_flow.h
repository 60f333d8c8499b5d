// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// Whether a row_max or row_min may leave NaN out of its row, because every output of a row with a NaN is NaN without
/// it: softmax's maximum is one, since the sum of the exponentials is NaN anyway.
bool may_skip_nan(const Body& body, int reduction);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// Whether a row_max or row_min may ignore NaN in its row, because every output of such a row is NaN anyway. Softmax's
/// maximum is an example: the sum of the exponentials is NaN.
bool may_skip_nan(const Body& body, int reduction);

}  // namespace kernelgen

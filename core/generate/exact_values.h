// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// Whether f32 represents every value of a lowered body exactly, so that f64 would give the same results. `of_case` is
/// the dtype of tensors that have no dtype of their own. This holds where values are only selected and compared; and
/// for 8-bit integers also where sums and products are whole numbers up to 2^24.
bool is_exact_in_f32(const Operator& definition, const Body& lowered, DType of_case);

}  // namespace kernelgen

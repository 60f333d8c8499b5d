// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// Whether f32 holds every value of a lowered body exactly, so that f64 would compute the same. `of_case` is the dtype
/// of tensors that have none of their own. So it is where values are chosen and compared, not computed; and of 8-bit
/// integers also where sums and products stay whole numbers up to 2^24.
bool is_exact_in_f32(const Operator& definition, const Body& lowered, DType of_case);

}  // namespace kernelgen

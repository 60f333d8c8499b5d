// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lang/body.h"

namespace kernelgen {

/// The body with 1 + tanh(a) written as 2 sigmoid(2 a), which is the same, needs fewer operations and is accurate also
/// where tanh is near -1; a half and a two that meet vanish.
Body with_sigmoids(const Body& lowered);

}  // namespace kernelgen

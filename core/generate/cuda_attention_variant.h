// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/generate/generate.h"
#include "core/lang/body.h"

namespace kernelgen {

/// The CUDA variant of a lowered body with `attention`: by tensor cores of sm_90a where they can compute it, else
/// plain.
GeneratedVariant cuda_attention(const Operator& definition, const Body& body);

}  // namespace kernelgen

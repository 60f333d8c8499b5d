// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/generate/generate.h"
#include "core/lang/body.h"

namespace kernelgen {

/// The variants of a lowered body with `attention_backward`: two launches, one of rows and one of columns.
GeneratedVariant host_attention_backward(const Operator& definition, const Body& body);
GeneratedVariant naive_attention_backward(const Operator& definition, const Body& body);
GeneratedVariant cuda_attention_backward(const Operator& definition, const Body& body);
/// One kernel of columns for all gradients: the queries' by atomic additions, which two runs may do in another order.
GeneratedVariant cuda_atomic_attention_backward(const Operator& definition, const Body& body);

}  // namespace kernelgen

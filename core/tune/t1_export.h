// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/project/variant.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// A tuning's space in the format T1 of the auto-tuning community, as `read_t1`, Kernel Tuner and others read it: the
/// parameters with the values that took part and the incumbent's as defaults, and the conditions, which name nothing
/// else. `variant`: the tuned one, for what is known of the kernel: the grid and the block of its first launch; null
/// where it is gone. A part of the launch that cannot be written is "1". T1 has words only for languages of GPUs:
/// languages other than CUDA are "Hypertuner", which names no compiler. Errors: a restriction that cannot be written
/// (t1_expression.h).
Result<nlohmann::ordered_json> to_t1(const Tuning& tuning, const Variant* variant);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/backend/call.h"
#include "core/measure/result.h"

namespace kernelgen::cuda {

/// Reads the hardware counters of one call with Nsight Compute (`ncu`), in a process of its own: `program` is started
/// under it as `cuda-once`. Clocks are left alone; caches are cold. Where there is no `ncu`, or counters are not
/// permitted, the reason is in the result. Takes some seconds.
Counters profile(const std::string& program, int ordinal, const Artifact& artifact, const Call& call,
                 std::stop_token stop);

/// The counters in what `ncu --csv --page raw` printed, for several launches added or weighted by their time.
Counters parse_profile(const std::string& csv);

}  // namespace kernelgen::cuda

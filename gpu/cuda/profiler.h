// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/call.h"
#include "core/measure/result.h"

namespace kernelgen::cuda {

/// Reads the hardware counters of one call with Nsight Compute (`ncu`), in a process of its own: `program` is started
/// under it as `cuda-once`, and for Python variants the interpreter with kernelgen_once.py. Clocks are left alone;
/// caches are cold. Where there is no `ncu`, or counters are not permitted, the reason is in the result. Takes some
/// seconds, at most 60; for Python variants at most 120.
Counters profile(const std::string& program, int ordinal, const Artifact& artifact, const Call& call,
                 std::stop_token stop);

/// The command line with which `profile` starts `ncu`; `request` is the file that describes the call. Of Python
/// variants only the launches are profiled that the script asks for.
std::vector<std::string> profile_arguments(const std::string& program, int ordinal, Language language,
                                           const std::string& request);

/// The counters in what `ncu --csv --page raw` printed, for several launches added or weighted by their time.
/// Without any, the reason, in the profiled program's own words where it said some.
Counters parse_profile(const std::string& csv);

}  // namespace kernelgen::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/call.h"
#include "core/measure/result.h"

namespace kernelgen::cuda {

/// Reads the hardware counters of one call with Nsight Compute (`ncu`), which starts `program` as `cuda-once`, or for
/// Python variants the interpreter with kernelgen_once.py, in a process of its own. Clocks are not changed; caches are
/// cold. Where there is no `ncu`, or counters are not permitted, the result has the reason. Takes some seconds, at most
/// 60; for Python variants at most 120.
Counters profile(const std::string& program, int ordinal, const Artifact& artifact, const Call& call,
                 std::stop_token stop);

/// The command line with which `profile` starts `ncu`; `request` is the file that describes the call. For Python
/// variants only the launches are profiled that the script marks. `for_diagnosis`: with the counters that only the
/// diagnosis uses.
std::vector<std::string> profile_arguments(const std::string& program, int ordinal, Language language,
                                           const std::string& request, bool for_diagnosis);

/// Reads the counters from the output of `ncu --csv --page raw`. Values of several launches are added, or weighted by
/// their time. Where there are none, the result has the reason, in the profiled program's own words if it printed one.
Counters parse_profile(const std::string& csv);

}  // namespace kernelgen::cuda

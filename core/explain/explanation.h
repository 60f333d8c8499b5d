// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/explain/error_map.h"
#include "core/verify/result.h"

namespace kernelgen {

/// Why a verification failed: what an explanation holds, and a failing round's record with it.
struct Explanation {
    Case binding;  ///< of the failing check
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    Status status = Status::ok;  ///< of that check
    std::string smallest;        ///< the smallest failing sizes: "P=1, D=257"; "" where they were not looked for
    int sizes_tried = 0;         ///< other sizes
    int sizes_failed = 0;        //
    std::vector<ErrorMap> maps;  ///< of the outputs that are wrong
    std::vector<Cause> causes;   ///< the likeliest first
    std::vector<Said> remarks;   ///< on how it was found; sentences
};

nlohmann::json to_json(const Explanation& explanation);
/// Throws std::exception where `json` is something else: a record may be damaged, a worker may be of another version.
Explanation explanation_from_json(const nlohmann::json& json);

/// Whether a verification ended in a way that can be explained: its kernel ran, and its results are wrong.
bool can_explain(Status status);

/// The check that an explanation is about: the first of the result's status; null where no check ended so.
const CaseAccuracy* failing_check(const VerifyResult& result);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/backend/artifact.h"
#include "core/backend/call.h"
#include "core/project/project.h"
#include "core/tensor/random.h"

namespace kernelgen {

/// One call of a kernel with all that it needs, for a process of its own: inputs are made from their set and seed.
struct ReproCall {
    Artifact artifact;
    Call call;
    Operator definition;
    Case binding;
    Accuracy accuracy;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    Placement placement = Placement::shared;  ///< host: with the buffers' ends or starts at unreadable pages
    int threads = 1;                          ///< host: that run the programs
};

/// The names by which users choose a placement: "none", "end", "start".
std::string_view guard_name(Placement placement);
std::optional<Placement> parse_guard(std::string_view name);

nlohmann::json to_json(const ReproCall& call);
/// Errors: the first thing that is wrong, with its place.
Result<ReproCall> repro_call_from_json(const nlohmann::json& json);

/// `kernelgen host-once FILE`: makes the call that FILE describes in this process, with no protection from it, judges
/// the outputs by the definition's body and says on stdout what they are. The exit status is 0 where they are right, 3
/// where they are wrong, 1 where the call cannot be made. A kernel that crashes ends the process, or stops in its
/// debugger.
int host_once_main(const std::string& file);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/arena.h"
#include "core/backend/build.h"
#include "core/project/launch_plan.h"

namespace kernelgen {

/// The shape of one tensor of a call.
struct BoundTensor {
    std::string name;
    DType dtype = DType::f32;
    std::vector<std::int64_t> extents;
    std::size_t bytes = 0;
    std::optional<Domain> domain = {};  ///< of the values that it is filled with
};

/// All that is needed to call a loaded artifact on one case, but the buffers.
struct Call {
    LaunchPlan plan;
    std::vector<BoundTensor> inputs, outputs;
    std::vector<DType> workspace_dtypes;
    std::vector<Attribute> attributes;                 ///< in the operator's order
    std::vector<std::int64_t> symbols;                 ///< in the operator's order
    std::map<std::string, std::int64_t> free_symbols;  ///< sizes that no input has: a Python function is told them
};

/// Where a call finds its buffers, in the call's order.
struct CallBuffers {
    std::vector<std::byte*> inputs, outputs, workspace;
};

/// Errors: a size that overflows, a launch that cannot be planned.
Result<Call> make_call(const Operator& definition, const Implementation& implementation, const Case& binding);

/// The arena that a call's buffers need.
Layout lay_out(const Call& call);

nlohmann::json to_json(const Call& call);
Call call_from_json(const nlohmann::json& json);
nlohmann::json to_json(const Layout& layout);
Layout layout_from_json(const nlohmann::json& json);
nlohmann::json to_json(const Artifact& artifact);
Artifact artifact_from_json(const nlohmann::json& json);

}  // namespace kernelgen

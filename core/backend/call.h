// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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
    bool is_mutated = false;            ///< an input that a call changes: it is restored before each call
    HeldBits bits = {};                 ///< of an output
};

/// All that is needed to call a loaded artifact on one case, but the buffers.
struct Call {
    LaunchPlan plan;
    Configuration configuration;  ///< that the implementation has on this case
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

/// Where the buffers of a run are. `shared`: in the arena, between their guards. `ends_guarded` (`starts_guarded`): in
/// private memory, where the last (first) byte of each buffer touches an unreadable page; inputs are copied in and
/// outputs are copied out.
enum class Placement { shared, ends_guarded, starts_guarded };

/// Errors: a size that overflows, a launch that cannot be planned.
Result<Call> make_call(const Operator& definition, const Implementation& implementation, const Case& binding);

/// The arena that a call's buffers need.
Layout lay_out(const Call& call);

}  // namespace kernelgen

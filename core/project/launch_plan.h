// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/variant.h"

namespace kernelgen {

/// One argument of a kernel.
struct Argument {
    enum class Kind { input, output, workspace, attribute, symbol, tensor_map };
    Kind kind = Kind::input;
    int index = 0;  ///< in the operator's list of that kind, the variant's workspace, or the launch's tensor maps
    std::string name;

    bool is_pointer() const { return kind <= Kind::workspace; }
};

/// "input", "output", "workspace", "attribute", "symbol" or "tensor_map".
std::string_view to_string(Argument::Kind kind);
std::optional<Argument::Kind> parse_argument_kind(std::string_view name);

/// An input that is copied into a `__constant__` variable before a launch.
struct PlannedConstant {
    std::string constant;
    int input = 0;  ///< in the operator's inputs
};

/// A launch with its expressions evaluated for one case and configuration.
struct PlannedLaunch {
    std::string entry;
    std::array<std::int64_t, 3> grid{1, 1, 1};
    std::array<int, 3> order{0, 1, 2};  ///< grid axes from slowest to fastest
    std::array<std::int64_t, 3> block{1, 1, 1};
    std::int64_t shared_bytes = 0;
    int threads = 0;  ///< 0: one for each CPU
    std::vector<Argument> args;
    std::vector<PlannedConstant> constants;
    std::vector<PlannedTensorMap> tensor_maps;
};

/// All numbers that are needed to start a variant on a case.
struct LaunchPlan {
    std::vector<PlannedLaunch> launches;
    std::vector<std::int64_t> workspace_elements;  ///< of each workspace buffer
};

/// Evaluates an implementation's launches and workspace for one case, in the configuration that it has there. Errors:
/// an expression that fails, a grid axis below 1, more than 2^63 programs, an argument that nothing defines.
Result<LaunchPlan> plan_launches(const Operator& definition, const Implementation& implementation, const Case& binding);

/// Bytes of the workspace that the launches of a call of `variant` share.
double workspace_bytes(const Variant& variant, const LaunchPlan& plan);

/// Finds each argument of a launch in the operator and the variant. Each unknown name is a diagnostic with a
/// suggestion.
Validated<std::vector<Argument>> resolve_arguments(const Operator& definition, const Variant& variant,
                                                   const Launch& launch, std::string_view where);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/project/variant.h"

namespace kernelgen {

/// An argument of a kernel: what it refers to.
struct Argument {
    enum class Kind { input, output, workspace, attribute, symbol };
    Kind kind = Kind::input;
    int index = 0;  ///< in the operator's (or the variant's workspace) list
    std::string name;

    bool is_pointer() const { return kind <= Kind::workspace; }
};

/// A launch with its expressions evaluated for one case and configuration.
struct PlannedLaunch {
    std::string entry;
    std::array<std::int64_t, 3> grid{1, 1, 1};
    std::array<int, 3> order{0, 1, 2};  ///< grid axes from slowest to fastest
    std::array<std::int64_t, 3> block{1, 1, 1};
    std::int64_t shared_bytes = 0;
    int threads = 0;  ///< 0: all
    std::vector<Argument> args;
};

/// Everything numeric that starting a variant on a case needs.
struct LaunchPlan {
    std::vector<PlannedLaunch> launches;
    std::vector<std::int64_t> workspace_elements;  ///< of each workspace buffer
};

/// Errors: an expression that fails, a grid axis below 1, more than 2^63 programs, an argument that nothing defines.
Result<LaunchPlan> plan_launches(const Operator& definition, const Variant& variant, const Configuration& configuration,
                                 const Sizes& sizes);

/// The arguments of a launch resolved against the operator; every unknown name is a diagnostic with a suggestion.
Checked<std::vector<Argument>> resolve_arguments(const Operator& definition, const Variant& variant,
                                                 const Launch& launch, std::string_view where);

}  // namespace kernelgen

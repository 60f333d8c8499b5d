// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tune/space.h"

namespace kernelgen {

/// What a T1 file (https://github.com/odgaard/TuningSchema) says of a space: the parameters with integer values, and
/// the conditions. Conditions are Python expressions; read are those that the integer language has too, and in them `/`
/// is floor division. `LocalSize`, `GlobalSize`, and `ProblemSize` divided by `GridDivX`, `GridDivY` and `GridDivZ`
/// become terms.
struct SpaceDescription {
    std::vector<Tunable> parameters;
    std::vector<std::string> restrictions;
    std::vector<std::string> terms;
};

/// Errors: no such file, no T1, values that are not integers, a condition that cannot be read.
Validated<SpaceDescription> load_t1(const std::string& path);

/// The same for a text; `file` is its name in errors.
Validated<SpaceDescription> read_t1(std::string_view text, const std::string& file);

Result<TuningSpace> space_of(const SpaceDescription& description);

}  // namespace kernelgen

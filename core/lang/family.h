// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// How an operator is defined.
enum class Family { tile, custom, callable };

struct FamilyTraits {
    Family family = Family::tile;
    std::string_view name;  ///< in project.json
    bool has_body = false;  ///< in the operator language: it is the reference, and kernels are generated from it.
                            ///< Without one the reference is a variant or a Python file
    bool has_file = false;  ///< a Python file is the definition: it says what the inputs and outputs of a case are
};

const FamilyTraits& traits_of(Family family);
inline bool has_body(Family family) { return traits_of(family).has_body; }
inline bool has_file(Family family) { return traits_of(family).has_file; }
inline std::string to_string(Family family) { return std::string(traits_of(family).name); }
std::optional<Family> parse_family(std::string_view name);
std::vector<std::string> family_names();

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace kernelgen {

/// How a Python file takes part in a case of a `callable` operator (docs/CALLABLE.md): what an executor is told with
/// it. Not part of a project.
struct CallableRole {
    /// The definition itself has the roles "describe", "sizes", "model", "inputs" and "judge". A file that is called
    /// has "side", or "observe" for one call about which remarks are made. Empty for other families.
    std::string role;
    std::string file, text;                    ///< the definition's
    std::map<std::string, std::string> files;  ///< the project's other files, which the definition may import
    std::string binding;                       ///< the case, in JSON
    std::string signature;  ///< what "describe" answered for this case; what "model" is asked; in JSON

    bool operator==(const CallableRole&) const = default;
};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernelgen {

/// The place in a source from which a line of PTX comes, by the `.loc` before that line (PTX ISA, "Debugging
/// directives").
struct PtxPlace {
    std::string file;  ///< path in the `.file` directive
    int line = 0, column = 0;
    std::string instruction;  ///< the line of PTX itself, trimmed
};

/// Finds the place of a line; `line` counts from 1. Nothing where the PTX has no such line. Without line information
/// `file` is empty and `line` is 0.
std::optional<PtxPlace> place_in_source(std::string_view ptx, int line);

}  // namespace kernelgen

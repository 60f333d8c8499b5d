// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernelgen {

/// Where a line of PTX comes from, by the `.loc` before it (PTX ISA, "Debugging directives").
struct PtxPlace {
    std::string file;  ///< as `.file` names it, with its folder
    int line = 0, column = 0;
    std::string instruction;  ///< the line itself, trimmed
};

/// `line` counts from 1. Nothing where the PTX has no such line; without line information `file` is empty and `line` 0.
std::optional<PtxPlace> place_in_source(std::string_view ptx, int line);

}  // namespace kernelgen

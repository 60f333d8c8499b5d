// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// A dispatch rule as a Triton file states it.
struct StatedRule {
    std::string when, variant;
    std::string module, entry;  ///< of a PyTorch function that the file can call; empty: it calls its own in its place
    bool is_compiled = false;   ///< through torch.compile
};

/// The project's dispatch rules that count on a GPU.
std::vector<StatedRule> stated_rules(const Project& project);

}  // namespace kernelgen

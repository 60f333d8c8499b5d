// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/outline.h"

namespace kernelgen::cli {

/// Scripts that make a shell complete commands, options and the values of options that are listed; files elsewhere.
std::string bash_completion(const ProgramOutline& outline);
std::string zsh_completion(const ProgramOutline& outline);
std::string fish_completion(const ProgramOutline& outline);

}  // namespace kernelgen::cli

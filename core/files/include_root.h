// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace kernelgen {

/// The folder that holds a C++ or CUDA file and all that it includes by paths from itself, directly or through others:
/// its own, or one of up to three above, where `#include "../g.h"` leads. Files that are not there are left to the
/// compiler.
std::filesystem::path include_root(const std::filesystem::path& file, const std::string& text);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace kernelgen::testing {

/// The folder of the sources.
inline const std::filesystem::path root = KERNELGEN_SOURCE_DIR;

}  // namespace kernelgen::testing

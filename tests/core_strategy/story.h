// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace kernelgen::testing {

/// The project of the source's story: bias_add in Triton, as it began.
inline const std::filesystem::path story = KERNELGEN_SOURCE_DIR "/tests/core_strategy/story";

}  // namespace kernelgen::testing

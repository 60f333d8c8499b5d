// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/backend/compiler_message.h"
#include "core/project/variant.h"
#include "gpu/cuda/nvrtc.h"

namespace kernelgen {

/// Folders with the headers of a CUDA toolkit, such as cuda_fp16.h, and of CUB and libcu++, which it contains: those
/// beside the library, else those of a toolkit that is installed. None without a toolkit.
std::vector<std::filesystem::path> toolkit_include_folders(const NvrtcLibrary& library);

/// Adds to the first error what to do, where it is about a header (of the C++ library, which NVRTC lacks; of a toolkit
/// that is not here; of the toolkit, but for the host) or about a name that is a tunable's and so a macro. `toolkit`
/// are the folders above.
void explain_error(const std::vector<std::filesystem::path>& toolkit, const Implementation& implementation,
                   std::vector<CompilerMessage>& messages);

}  // namespace kernelgen

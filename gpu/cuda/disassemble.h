// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// The SASS of a cubin, by nvdisasm, which tells the source's lines, or by cuobjdump, from PATH, a CUDA toolkit or a
/// Triton. Errors: neither tool is found, with how to get one; all that are found fail.
Result<std::string> disassemble(const std::filesystem::path& cubin);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kernelgen {

/// Bytes of memory that can be used without swapping; 0 where the system does not report this.
std::size_t available_memory();

}  // namespace kernelgen

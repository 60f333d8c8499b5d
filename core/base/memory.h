// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kernelgen {

/// Bytes that can still be used without swapping, or 0 where the system does not tell.
std::size_t available_memory();

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace kernelgen {

/// What a kernel's PTX consists of, by the names of metrics: operations in double and in lower precision, divisions of
/// integers in loops (where there is a loop), calls, atomic operations, accesses to local arrays, and the bytes of the
/// widest load from global memory.
std::map<std::string, double> ptx_counts(std::string_view ptx);

}  // namespace kernelgen

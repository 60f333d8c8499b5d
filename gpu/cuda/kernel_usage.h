// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// What ptxas gave to one kernel, with the functions that it calls and that were not inlined.
struct KernelUsage {
    std::string entry;
    int registers = 0;  ///< of a thread
    int barriers = 0;
    std::int64_t stack_bytes = 0;  ///< of a thread, in local memory: the largest of these functions
    std::int64_t spill_store_bytes = 0, spill_load_bytes = 0;  ///< their sum
    std::int64_t static_shared_bytes = 0;                      ///< of a block
    std::int64_t constant_bytes = 0;
};

/// The most threads that a block of a kernel may have by its `__launch_bounds__`, as its PTX has them; 0 without.
std::int64_t launch_bound(std::string_view ptx, const std::string& entry);

/// Reads what `--ptxas-options=-v` prints, a kernel after another.
std::vector<KernelUsage> parse_kernel_usage(std::string_view log);

}  // namespace kernelgen

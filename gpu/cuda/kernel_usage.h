// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// The resources that ptxas allocated to one kernel, including the functions that it calls and that were not inlined.
struct KernelUsage {
    std::string entry;
    int registers = 0;  ///< for each thread
    int barriers = 0;
    std::int64_t stack_bytes = 0;  ///< for each thread, in local memory: the largest of these functions
    std::int64_t spill_store_bytes = 0, spill_load_bytes = 0;  ///< the sum over these functions
    std::int64_t static_shared_bytes = 0;                      ///< for each block
    std::int64_t constant_bytes = 0;
};

/// The most threads that a block of a kernel may have by its `__launch_bounds__`, read from its PTX; 0 without.
std::int64_t launch_bound(std::string_view ptx, const std::string& entry);

/// Reads the output of `--ptxas-options=-v`, kernel by kernel.
std::vector<KernelUsage> parse_kernel_usage(std::string_view log);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/diagnose/evidence.h"
#include "core/trace/trace.h"

namespace kernelgen {

/// The cost of accesses, and what they would cost at best.
struct AccessCost {
    double cost = 0, best = 0;
    std::vector<int> lines = {};  ///< of the source, where the accesses cost much more than at best

    void add(const AccessCost& other);
    bool is_known() const { return best > 0; }
    double ratio() const { return best > 0 ? cost / best : 1; }
};

/// 32-byte sectors of global memory that the loads and stores of a warp's threads touch. `tensor`: only those of this
/// argument; "": all.
AccessCost sectors_of(const std::vector<Trace>& warp, const std::string& tensor = "");

/// Passes over shared memory, which has 32 banks of 4 bytes.
AccessCost passes_of(const std::vector<Trace>& warp);

/// Bytes of 64-byte lines that the innermost loops of a thread fetch from global memory. Lines that are still in a
/// cache of `cache_bytes` when the loop around them comes to their next element count once.
AccessCost lines_of(const Trace& trace, double cache_bytes, const std::string& tensor = "");

}  // namespace kernelgen

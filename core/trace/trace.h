// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/code.h"

namespace kernelgen {

/// A block of memory that a kernel uses.
struct TracedBuffer {
    enum class Space { global, shared, local };
    std::string name;  ///< of the kernel's argument or of the array in the source
    Space space = Space::global;
};

enum class AccessKind { load, store, atomic };

/// One execution of an access by one thread.
struct Visit {
    std::int64_t address = 0;  ///< bytes from the buffer's begin
    int bytes = 0;
    double weight = 1;           ///< how many executions it stands for: loops are followed for some iterations only
    int loop = -1;               ///< the innermost loop: index in `loops`
    std::int64_t iteration = 0;  ///< of it
};

/// An access in the source, with its first visits.
struct AccessSite {
    int line = 0;
    int buffer = -1;
    AccessKind kind = AccessKind::load;
    std::vector<Visit> visits;
    double executions = 0;
};

struct TracedLoop {
    int line = 0;
    int outer = -1;    ///< the loop around it
    double trips = 0;  ///< of its last execution
    bool has_inner = false;
};

/// A place in the source and the buffer that it accesses.
using SiteKey = std::pair<int, int>;

/// What one thread of a kernel does: its first accesses of each place in the source.
struct Trace {
    std::vector<TracedBuffer> buffers;
    std::map<SiteKey, AccessSite> sites;
    std::vector<TracedLoop> loops;
    std::string gap;  ///< a sentence about the first thing that was not followed; "" where all was

    double executions() const;  ///< of accesses to global memory
};

/// An argument of a kernel: a number that is known, or a tensor's buffer.
struct TracedArgument {
    std::string name;
    std::optional<std::int64_t> number;  ///< nothing: not a number that addresses are made of, or a tensor
    bool is_tensor = false;
    int element_bytes = 4;
};

/// Which thread is followed, with all that its addresses depend on.
struct TraceRequest {
    std::vector<TracedArgument> arguments;
    std::map<std::string, std::int64_t> constants;  ///< macros of the build: tunables, sizes
    int dtype_bytes = 4;
    bool is_cuda = false;
    std::array<std::int64_t, 3> program{};  ///< place in the grid: blockIdx of CUDA, pid0 … pid2 of a host kernel
    std::array<std::int64_t, 3> grid{1, 1, 1};
    std::array<std::int64_t, 3> thread{};
    std::array<std::int64_t, 3> block{1, 1, 1};
};

/// Follows one thread through a kernel without running it: integers and pointers are computed, what is read from memory
/// is unknown, and of each loop a few iterations are followed, from which the rest is extrapolated. Where a condition
/// is unknown, both of its branches are followed.
Trace trace_thread(const CodeFile& file, const CodeFunction& kernel, const TraceRequest& request);

}  // namespace kernelgen

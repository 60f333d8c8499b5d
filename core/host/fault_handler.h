// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kernelgen {

class ExecutorConnection;

/// A buffer between unreadable pages, for the message when a kernel touches them.
struct GuardedRange {
    std::string name;
    const std::byte* mapping = nullptr;
    std::size_t mapped = 0;
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
};

/// While it lives, a fault on the unreadable pages around `ranges` answers the request that is being carried out with
/// status `out_of_bounds` and ends the process; a fault for alignment, where `unaligned`, answers with `misaligned`.
/// Every other fault ends the process by its signal, as without it. One at a time.
class FaultHandler {
public:
    FaultHandler(std::vector<GuardedRange> ranges, bool unaligned, ExecutorConnection& connection);
    FaultHandler(const FaultHandler&) = delete;
    ~FaultHandler();

private:
    std::vector<GuardedRange> ranges_;
};

}  // namespace kernelgen

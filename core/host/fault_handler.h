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

/// While this object lives, a fault on the unreadable pages around `ranges` answers the current request with status
/// `out_of_bounds` and ends the process. Where `unaligned`, an alignment fault answers with `misaligned`. Every other
/// fault goes to the handler from before, or ends the process by its signal. Only one may exist at a time.
class FaultHandler {
public:
    FaultHandler(std::vector<GuardedRange> ranges, bool unaligned, ExecutorConnection& connection);
    FaultHandler(const FaultHandler&) = delete;
    ~FaultHandler();

private:
    std::vector<GuardedRange> ranges_;
};

}  // namespace kernelgen

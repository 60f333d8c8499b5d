// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kernelgen {

/// A buffer between unreadable pages, for the message when a kernel touches them.
struct GuardedRange {
    std::string name;
    const std::byte* mapping = nullptr;
    std::size_t mapped = 0;
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
};

/// While it lives, a fault on the unreadable pages around `ranges` writes a reply with status `out_of_bounds` to
/// descriptor `reply` and ends the process; a fault for alignment, where `unaligned`, a reply with `misaligned`. Every
/// other fault ends the process by its signal, as without it. One at a time.
class FaultHandler {
public:
    FaultHandler(std::vector<GuardedRange> ranges, bool unaligned, int reply);
    FaultHandler(const FaultHandler&) = delete;
    ~FaultHandler();

private:
    std::vector<GuardedRange> ranges_;
};

}  // namespace kernelgen

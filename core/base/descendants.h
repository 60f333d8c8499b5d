// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <vector>

namespace kernelgen {

/// A process as /proc shows it. The system may give its number to another process later, but number and start together
/// are unique.
struct ProcessEntry {
    pid_t id = 0, parent = 0;
    std::uint64_t start = 0;  ///< clock ticks after the system's start
    bool ended = false;       ///< it has ended, and its parent has not reaped it yet
};

/// All descendants of `root`, parents first; without `except` and its descendants.
std::vector<ProcessEntry> descendants_of(pid_t root, const std::set<pid_t>& except = {});

/// Ends and reaps every descendant of this process, without `except` and its descendants. They may be many, ignore
/// signals, leave their session, and start others meanwhile: the function repeats until none is left. Orphans must
/// become children of this process (PR_SET_CHILD_SUBREAPER). False where some still live after `limit`.
bool end_descendants(const std::set<pid_t>& except, std::chrono::milliseconds limit);

}  // namespace kernelgen

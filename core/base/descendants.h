// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <vector>

namespace kernelgen {

/// A process as /proc shows it. A number may be given to another process later; number and start together may not.
struct ProcessEntry {
    pid_t id = 0, parent = 0;
    std::uint64_t start = 0;  ///< clock ticks after the system's start
    bool ended = false;       ///< its parent has not yet asked how
};

/// What `root` started and what those started, parents first; without `except` and what these started.
std::vector<ProcessEntry> descendants_of(pid_t root, const std::set<pid_t>& except = {});

/// Ends every descendant of this process but `except` and what these started, and reaps them. They can be many, ignore
/// signals, leave their session, and start others meanwhile: it is repeated until none is left. What loses its parent
/// must become this process's child (PR_SET_CHILD_SUBREAPER). False where some still live after `limit`.
bool end_descendants(const std::set<pid_t>& except, std::chrono::milliseconds limit);

}  // namespace kernelgen

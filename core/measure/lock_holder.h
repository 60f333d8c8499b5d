// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace kernelgen {

/// A process that holds a lock.
struct LockHolder {
    pid_t id = 0;
    std::string command;    ///< with its arguments, cut where it is long
    bool is_below = false;  ///< this process, or what it started, has started it
};

/// Who holds the flock on a file, as /proc/locks has it; nobody where the system does not tell.
std::optional<LockHolder> holder_of_lock(const std::string& path);

/// `process 4711 (sleep 60)`
std::string to_string(const LockHolder& holder);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace kernelgen {

/// A process that holds a lock.
struct LockHolder {
    pid_t id = 0;
    std::string command;    ///< command line, cut where it is long
    bool is_below = false;  ///< it is a descendant of this process
};

/// The processes that hold the flock on a file, by /proc/locks; none where the system does not report this.
std::optional<LockHolder> holder_of_lock(const std::string& path);

/// `process 4711 (sleep 60)`
std::string to_string(const LockHolder& holder);

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kernelgen {

/// A keeper is a process between a worker and an executor. It starts the executor under limits, ends with it and as it
/// ended, and first ends everything that the executor started, in whatever session that is. On SIGTERM, and when the
/// worker dies, it ends them all. See docs/THREATS.md.
///
/// Where the system allows it the executor lives in a PID namespace: it sees no process but its own, so that it cannot
/// signal the keeper or the worker, and the namespace's end takes all that is in it. Elsewhere (in most containers, or
/// with KERNELGEN_PID_NAMESPACE=0) the keeper becomes the parent of what loses its own, and ends these one by one.

inline constexpr std::uint64_t kept_file_bytes = 1ull << 30;  ///< the most that one file can have
inline constexpr int kept_processes = 512;                    ///< the most that there can be
inline constexpr int too_many_processes_status = 251;         ///< the exit status where there were more

/// The command that runs `arguments` under a keeper of the program `kernelgen` that is installed with this one.
std::vector<std::string> keeper_command(std::vector<std::string> arguments);

/// What `kernelgen keeper ARGUMENTS…` does: runs `arguments` in the current folder, and ends this process as they
/// ended. Returns an exit status only where it could not begin.
int keeper_main(std::vector<std::string> arguments);

}  // namespace kernelgen

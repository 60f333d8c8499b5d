// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kernelgen {

/// A keeper is a process between a worker and an executor. It starts the executor under limits. When the executor ends,
/// the keeper first ends all processes that the executor started, in whatever session they are, and then ends with the
/// executor's status. On SIGTERM, SIGINT or SIGHUP, and when the worker dies, it ends all of them. See docs/THREATS.md.
///
/// Where the system allows it, the executor runs in a PID namespace: it sees only its own processes, so it cannot
/// signal the keeper or the worker, and the end of the namespace ends all processes in it. Elsewhere (in most
/// containers, or with KERNELGEN_PID_NAMESPACE=0) orphaned processes become children of the keeper, which ends them one
/// by one.

inline constexpr std::uint64_t kept_file_bytes = 1ull << 30;  ///< the largest size of a file
inline constexpr int kept_processes = 512;                    ///< the most processes of an executor
inline constexpr int too_many_processes_status = 251;         ///< the exit status where there were more processes

/// The command line that runs `arguments` under a keeper; `kernelgen` is the program that is installed with this one.
std::vector<std::string> keeper_command(std::vector<std::string> arguments);

/// The command `kernelgen keeper ARGUMENTS…`: runs `arguments` in the current folder, and ends this process in the same
/// way as they ended. Returns an exit status only where it could not start them.
int keeper_main(std::vector<std::string> arguments);

}  // namespace kernelgen

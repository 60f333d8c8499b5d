// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace kernelgen {

/// The threads and processes that kernels start in an executor, seen from the worker.
class ForeignThreads {
public:
    using Id = std::pair<pid_t, std::uint64_t>;  ///< number and start time of a process or a thread

    ForeignThreads() = default;
    /// Remembers the threads of all processes below `keeper` as the executor's own; no kernel may have been loaded yet.
    explicit ForeignThreads(pid_t keeper);

    /// For each process below the keeper, the seconds for which it has run, without the executor's own threads. Threads
    /// that have ended count. Empty where the system does not report this.
    std::map<Id, double> running() const;

    /// Whether the priority or the scheduling policy of one of the executor's own threads has changed.
    bool own_changed() const;
    /// Whether one of the executor's own threads that still run has another priority or policy than at first, or
    /// whether all threads together may run on one CPU only. A library may bind its threads, each to another CPU; how
    /// many there are is its choice.
    bool is_held_back() const;

private:
    struct Own {
        pid_t process = 0;
        std::string scheduling;
        mutable double seconds = 0;  ///< for which it had run when it was last seen
    };
    pid_t keeper_ = 0;
    int cpus_ = 0;         ///< on which the threads could run at first
    bool is_told_ = true;  ///< whether the system tells for how long a thread has run
    std::map<Id, Own> own_;
};

/// Seconds for which these processes ran from `before` to `after`. Processes that are only in `after` count in full.
double ran_between(const std::map<ForeignThreads::Id, double>& before,
                   const std::map<ForeignThreads::Id, double>& after);

}  // namespace kernelgen

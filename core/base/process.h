// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// How a child ended.
struct Exit {
    int status = 0;  ///< exit status, where `signal` is 0
    int signal = 0;  ///< the signal that ended it, or 0

    bool success() const { return status == 0 && signal == 0; }
};

/// "exited with status 3" or "was ended by SIGSEGV (segmentation fault)".
Said to_string(const Exit& exit);

/// What to start. The child is the leader of its own process group and is killed when this process ends. It inherits
/// only the descriptors that are named here.
struct Command {
    std::vector<std::string> arguments;              ///< arguments[0] is looked up on PATH unless it has a '/'
    std::map<std::string, std::string> environment;  ///< added to the parent's
    std::string folder;                              ///< working folder, or the parent's where empty
    int input = -1;                                  ///< descriptor for stdin; -1: /dev/null
    int output = -1;                                 ///< descriptor for stdout; -1: /dev/null
    int error = -1;                                  ///< descriptor for stderr; -1: the parent's
    std::map<int, int> descriptors;                  ///< further ones: number in the child → number here
    /// The program is a keeper (core/base/keeper.h), which on SIGTERM ends all processes that it started. After the
    /// first keeper was started, orphaned processes become children of this process, and are ended with the keeper that
    /// was killed before them.
    bool keeper = false;
};

/// A running child. When it ends, the rest of its process group is killed; the destructor kills the whole group and
/// reaps the child. Safe in programs with threads: the child lives on when the thread that started it ends.
class Process {
public:
    /// Errors: a program that does not exist or cannot be executed, a folder that cannot be entered; with the reason.
    static Result<Process> start(const Command& command);

    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();

    pid_t id() const;
    /// How the child ended; nothing where it still runs after `limit`.
    std::optional<Exit> wait_for(std::chrono::milliseconds limit);
    Exit wait();
    int ended_descriptor() const;  ///< becomes readable when the child has ended, for poll(); not to be read
    void send_signal(int signal);  ///< to the child's process group, while the child runs
    void kill();  ///< SIGKILL to the group; a keeper gets SIGTERM before, and five seconds. Reaps the child

private:
    struct Impl;
    explicit Process(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Seconds since a thread's start for which it was ready to run and had no processor; 0 where the system does not
/// report this. `folder` is the thread's folder in /proc: "thread-self", or a process's number for its first thread.
double waited_for_processor(const std::string& folder);

/// The output of a program that has ended.
struct Finished {
    Exit exit;
    std::string output;    ///< stdout and stderr together, at most `output_limit` bytes (the first)
    bool stopped = false;  ///< `stop` was requested, and the child was killed
    bool timed_out = false;
};

/// Runs a program to its end, collecting stdout and stderr; kills it when `stop` is requested or `limit` passes.
Result<Finished> run_to_end(Command command, std::stop_token stop = {},
                            std::chrono::milliseconds limit = std::chrono::minutes(10),
                            std::size_t output_limit = 1 << 20);

}  // namespace kernelgen

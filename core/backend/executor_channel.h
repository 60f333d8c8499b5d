// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/backend/mailbox.h"
#include "core/base/line_buffer.h"
#include "core/base/process.h"

namespace kernelgen {

/// How waiting for an executor ended.
enum class Heard {
    done,     ///< the line was sent, or has come
    late,     ///< the deadline has passed
    stopped,  ///< the token asked
    ended,    ///< the executor has ended, and nothing that it said before is left
    damaged,  ///< no executor does this: its positions are impossible, its line is endless, or nobody had asked for it
};

/// How long an executor is waited for.
struct Patience {
    std::chrono::steady_clock::time_point deadline;
    std::stop_token stop;
    Process* process = nullptr;  ///< the executor
};

/// The worker's end of the lines between it and one executor. Everything that comes out of it may have been written by
/// a kernel.
class ExecutorChannel {
public:
    static constexpr std::size_t longest_line = 64u << 20;

    static Result<ExecutorChannel> create();

    int descriptor() const { return mailbox_.descriptor(); }
    /// Once the executor was started; the worker needs the descriptor no longer.
    void close_descriptor() { mailbox_.close_descriptor(); }

    /// Sends `line`, whose newline is added. Nobody may have said anything since the last one was answered.
    Heard send(std::string line, const Patience& patience);
    Heard receive(std::string& line, const Patience& patience);
    /// Puts `line` without waiting, where there is room: for an executor that is to end.
    void tell(std::string_view line);

private:
    explicit ExecutorChannel(Mailbox mailbox);
    /// What has come since the last time; nothing where the mailbox is damaged.
    std::optional<std::size_t> collect();

    Mailbox mailbox_;
    RingWriter requests_;
    RingReader replies_;
    LineBuffer received_;
};

}  // namespace kernelgen

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
    done,     ///< the line was sent or received
    late,     ///< the deadline has passed
    stopped,  ///< the stop token was triggered
    ended,    ///< the executor has ended, and all of its lines were read
    damaged,  ///< invalid: impossible positions, an endless line, or a line without a request
};

/// How long to wait for an executor.
struct Patience {
    std::chrono::steady_clock::time_point deadline;
    std::stop_token stop;
    Process* process = nullptr;  ///< the executor
};

/// The worker's end of the lines between the worker and one executor. A kernel may have written anything that is read
/// here.
class ExecutorChannel {
public:
    static constexpr std::size_t longest_line = 64u << 20;

    static Result<ExecutorChannel> create();

    int descriptor() const { return mailbox_.descriptor(); }
    /// Closes the worker's descriptor of the mailbox, which is not needed after the executor was started.
    void close_descriptor() { mailbox_.close_descriptor(); }

    /// Sends `line` and a newline. Every line before it must have been answered, and nothing else may have been
    /// received.
    Heard send(std::string line, const Patience& patience);
    Heard receive(std::string& line, const Patience& patience);
    /// Writes `line` without waiting, if there is room: the last message to an executor that is to end.
    void tell(std::string_view line);

private:
    explicit ExecutorChannel(Mailbox mailbox);
    /// The bytes that arrived since the last call; nothing where the mailbox is damaged.
    std::optional<std::size_t> collect();

    Mailbox mailbox_;
    RingWriter requests_;
    RingReader replies_;
    LineBuffer received_;
};

}  // namespace kernelgen

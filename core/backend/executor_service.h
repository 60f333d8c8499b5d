// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/backend/arena.h"
#include "core/backend/executor.h"
#include "core/backend/mailbox.h"
#include "core/base/line_buffer.h"

namespace kernelgen {

/// The executor's side of its protocol (docs/EXECUTOR_PROTOCOL.md).

/// The worker's arena as this process maps it: once, with room for what the arena may become. Bytes beyond what the
/// worker has grown it to cannot be touched.
class SharedArena {
public:
    explicit SharedArena(int descriptor);
    SharedArena(const SharedArena&) = delete;
    ~SharedArena();

    bool mapped() const { return data_ != nullptr; }
    std::size_t room() const { return room_; }  ///< bytes that it can become
    std::size_t size() const { return size_; }  ///< of the largest layout so far, in bytes
    /// Its first byte, for a layout of so many bytes. Throws where that is more than `room`.
    std::byte* data(std::size_t bytes);
    /// Where a layout's buffers lie in it. Throws as `data`.
    CallBuffers buffers(const Layout& layout);

private:
    std::byte* data_ = nullptr;
    std::size_t room_ = 0, size_ = 0;
};

/// Mailbox and arena of this process. Their descriptors are closed when it is made, so that no kernel finds them; a
/// process that a kernel forks does not have the memory.
class ExecutorConnection {
public:
    /// Errors: this process was not started by a worker, or by one of another version.
    static Result<std::unique_ptr<ExecutorConnection>> open();

    SharedArena& arena() { return arena_; }
    /// The next request; nothing where the worker has ended or the mailbox is damaged.
    std::optional<std::string> read_line();
    /// One line, whose newline is added; false where the mailbox is damaged.
    bool write_line(std::string line);
    /// Takes the mailbox out of reach while a request is carried out, so that no stray write hits it.
    void set_hidden(bool hidden) noexcept { mailbox_.set_hidden(hidden); }
    /// Puts an answer with its newline, from a signal handler that then ends the process.
    void answer_from_handler(std::string_view line) noexcept;

private:
    ExecutorConnection(Mailbox mailbox, int arena);

    Mailbox mailbox_;
    SharedArena arena_;
    RingReader requests_;
    RingWriter replies_;
    LineBuffer received_;
    int worker_ = 0;  ///< its process, as long as it lives
};

nlohmann::json reply_of(const Outcome& outcome);
nlohmann::json reply_of(Status status, const std::string& reason);

/// Greets as `name`, does what can be done `ahead` of requests, while the worker still builds, and answers requests
/// with `handle` until they end; what that throws becomes a reply of `crashed`.
int serve_executor(
    ExecutorConnection& connection, const std::string& name,
    const std::function<nlohmann::json(const nlohmann::json&)>& handle, const std::function<void()>& ahead = [] {});

/// Opens the connection and serves it with the executor that `make` returns for it; the exit status.
int executor_main(const std::function<int(ExecutorConnection&)>& serve);

}  // namespace kernelgen

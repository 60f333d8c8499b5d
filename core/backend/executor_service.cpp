// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor_service.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <format>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "core/backend/executor_protocol.h"
#include "core/base/text.h"
#include "core/base/verdict_sentences.h"

namespace kernelgen {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t least_room = 64u << 20;

/// Addresses to keep for the arena: twice the machine's memory, for an arena can never be larger than that; where
/// addresses are limited (`ulimit -v`), a quarter of them.
std::size_t wanted_room() {
    std::size_t room =
        2 * static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
#if defined(KERNELGEN_SANITIZED)  // whose shadow memory takes most addresses
    room = std::min<std::size_t>(room, 64ull << 30);
#endif
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room = std::min<std::size_t>(room, limit.rlim_cur / 4);
    return std::max(room, least_room);
}

/// The layout of a request; null where it has none.
const Layout* layout_of(const Request& request) {
    if (const auto* run = std::get_if<RunRequest>(&request)) return &run->layout;
    if (const auto* prepare = std::get_if<PrepareRequest>(&request)) return &prepare->layout;
    return nullptr;
}

/// Why a request cannot be carried out whose layout does not fit into `arena`.
std::optional<Outcome> too_large(const Request& request, const SharedArena& arena) {
    const Layout* layout = layout_of(request);
    if (layout == nullptr || layout->total <= arena.room()) return std::nullopt;
    return Outcome{Status::over_limit, say(sentences::too_few_addresses, with_si_prefix(double(layout->total), "B"),
                                           with_si_prefix(double(arena.room()), "B"))};
}

/// A reply after a failure of the executor. `why` is for whoever looks at what the executor printed, never for a user.
Reply failed(std::string_view why) {
    std::cerr << "kernelgen executor: " << why << std::endl;
    return {.outcome = {Status::crashed, sentences::executor_failed}};
}

Reply answer(const std::string& line, const SharedArena& arena, const std::function<Reply(const Request&)>& handle) {
    try {
        const Result<Request> request = read_request(line);
        if (!request) return failed("cannot read a request: " + request.error().message.text());
        if (auto refused = too_large(*request, arena)) return {.outcome = std::move(*refused)};
        return handle(*request);
    } catch (const std::bad_alloc&) {
        return {.outcome = {Status::over_limit, "no memory is left in the kernel's process"}};
    } catch (const std::exception& error) {
        return failed(error.what());
    }
}

}  // namespace

SharedArena::SharedArena(int descriptor) {
    for (room_ = wanted_room(); room_ >= least_room; room_ /= 2) {
        void* mapped = ::mmap(nullptr, room_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
        if (mapped == MAP_FAILED) continue;
        ::madvise(mapped, room_, MADV_DONTFORK);
        data_ = static_cast<std::byte*>(mapped);
        return;
    }
    room_ = 0;
}

SharedArena::~SharedArena() {
    if (data_ != nullptr) ::munmap(data_, room_);
}

std::byte* SharedArena::data(std::size_t bytes) {
    if (bytes > room_) throw std::runtime_error("the layout is larger than the arena can become");
    size_ = std::max(size_, bytes);
    return data_;
}

CallBuffers SharedArena::buffers(const Layout& layout) {
    std::byte* base = data(layout.total);
    CallBuffers buffers;
    for (const Region& region : layout.inputs) buffers.inputs.push_back(base + region.offset);
    for (const Region& region : layout.outputs) buffers.outputs.push_back(base + region.offset);
    for (const Region& region : layout.workspace) buffers.workspace.push_back(base + region.offset);
    return buffers;
}

ExecutorConnection::ExecutorConnection(Mailbox mailbox, int arena)
    : mailbox_(std::move(mailbox)),
      arena_(arena),
      requests_(mailbox_.memory().requests),
      replies_(mailbox_.memory().replies),
      worker_(::getppid()) {}

Result<std::unique_ptr<ExecutorConnection>> ExecutorConnection::open() {
    Result<Mailbox> mailbox = Mailbox::open(executor_mailbox_descriptor);
    if (!mailbox) return std::unexpected(mailbox.error());
    std::unique_ptr<ExecutorConnection> made(new ExecutorConnection(std::move(*mailbox), executor_arena_descriptor));
    ::close(executor_mailbox_descriptor);
    ::close(executor_arena_descriptor);
    if (!made->arena_.mapped()) return fail("no addresses are left to map the arena: raise `ulimit -v`");
    return made;
}

std::optional<std::string> ExecutorConnection::read_line() {
    std::array<char, 1 << 16> block;
    for (;;) {
        if (auto line = received_.take_line()) return line;
        const std::optional<std::size_t> count = requests_.take(block);
        if (!count) return std::nullopt;
        received_.append({block.data(), *count});
        if (*count > 0) continue;
        if (::getppid() != worker_) return std::nullopt;
        requests_.wait(1s);
    }
}

void ExecutorConnection::rest(std::chrono::milliseconds limit) { requests_.wait(limit); }

bool ExecutorConnection::write_line(std::string line) {
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
        const std::optional<std::size_t> count = replies_.put(rest);
        if (!count || ::getppid() != worker_) return false;
        rest.remove_prefix(*count);
        if (*count == 0) replies_.wait(1s);
    }
    return true;
}

void ExecutorConnection::answer_from_handler(std::string_view line) noexcept {
    set_hidden(false);
    replies_.put(line);
}

namespace {

constexpr auto greeting_seen = 20ms;  // until then the worker looks at this process's threads

/// Prepares the process before the first request. Failures are ignored here: the first request that needs what failed
/// reports them.
void do_ahead(const std::function<void()>& ahead) {
    try {
        ahead();
    } catch (const std::exception&) {
    }
}

}  // namespace

int serve_executor(ExecutorConnection& connection, const std::string& name,
                   const std::function<Reply(const Request&)>& handle, const std::function<void()>& ahead) {
    if (!connection.write_line(greeting_line(name))) return 1;
    connection.rest(greeting_seen);
    do_ahead(ahead);
    for (;;) {
        const std::optional<std::string> line = connection.read_line();
        if (!line || *line == executor_end_request) return line ? 0 : 1;
        connection.set_hidden(true);
        const Reply reply = answer(*line, connection.arena(), handle);
        connection.set_hidden(false);
        if (!connection.write_line(to_line(reply))) return 1;
    }
}

int executor_main(const std::function<int(ExecutorConnection&)>& serve) {
    const Result<std::unique_ptr<ExecutorConnection>> connection = ExecutorConnection::open();
    if (connection) return serve(**connection);
    std::cerr << "kernelgen: " << connection.error().message << "\n";
    return 1;
}

}  // namespace kernelgen

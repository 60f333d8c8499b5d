// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor_channel.h"

#include <array>
#include <utility>

namespace kernelgen {

using namespace std::chrono_literals;

namespace {

constexpr auto stop_interval = 20ms;  ///< how soon a stop, and an executor's end, are noticed

/// Why waiting has to end; nothing where it goes on.
std::optional<Heard> over(const Patience& patience) {
    if (patience.stop.stop_requested()) return Heard::stopped;
    if (std::chrono::steady_clock::now() >= patience.deadline) return Heard::late;
    return std::nullopt;
}

}  // namespace

ExecutorChannel::ExecutorChannel(Mailbox mailbox)
    : mailbox_(std::move(mailbox)), requests_(mailbox_.memory().requests), replies_(mailbox_.memory().replies) {}

Result<ExecutorChannel> ExecutorChannel::create() {
    Result<Mailbox> mailbox = Mailbox::create();
    if (!mailbox) return std::unexpected(mailbox.error());
    return ExecutorChannel(std::move(*mailbox));
}

std::optional<std::size_t> ExecutorChannel::collect() {
    std::array<char, 1 << 16> block;
    const std::optional<std::size_t> count = replies_.take(block);
    if (count) received_.append({block.data(), *count});
    return count;
}

Heard ExecutorChannel::send(std::string line, const Patience& patience) {
    if (collect() != 0 || received_.size() > 0) return Heard::damaged;
    line += '\n';
    for (std::string_view rest = line;;) {
        const bool ended = patience.process->wait_for(0ms).has_value();
        const std::optional<std::size_t> count = requests_.put(rest);
        if (!count) return Heard::damaged;
        rest.remove_prefix(*count);
        if (rest.empty()) return Heard::done;
        if (const auto why = over(patience)) return *why;
        if (ended) return Heard::ended;
        if (*count == 0) requests_.wait(stop_interval);
    }
}

Heard ExecutorChannel::receive(std::string& line, const Patience& patience) {
    for (;;) {
        const bool ended = patience.process->wait_for(0ms).has_value();  // before looking: nothing is said after it
        const std::optional<std::size_t> count = collect();
        if (!count) return Heard::damaged;
        if (auto found = received_.take_line()) {
            line = std::move(*found);
            return Heard::done;
        }
        if (received_.size() > longest_line) return Heard::damaged;
        if (const auto why = over(patience)) return *why;
        if (*count > 0) continue;
        if (ended) return Heard::ended;
        replies_.wait(stop_interval);
    }
}

void ExecutorChannel::tell(std::string_view line) {
    requests_.put(line);
    requests_.put("\n");
}

}  // namespace kernelgen

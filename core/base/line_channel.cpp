// SPDX-License-Identifier: Apache-2.0
#include "core/base/line_channel.h"

#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

namespace kernelgen {

std::optional<std::string> LineChannel::read_line() {
    for (;;) {
        if (auto line = received_.take_line()) return line;
        if (was_too_long()) return std::nullopt;
        char chunk[65536];
        const ssize_t count = ::read(input_, chunk, sizeof chunk);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        received_.append({chunk, static_cast<std::size_t>(count)});
    }
}

bool LineChannel::write(const nlohmann::json& message) {
    // Text from compilers and kernels may not be UTF-8; a replaced byte is better than a lost message.
    return write_line(message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool LineChannel::write_line(std::string line) {
    line += '\n';
    const std::lock_guard lock(writing_);
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t count = ::write(output_, line.data() + sent, line.size() - sent);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace kernelgen

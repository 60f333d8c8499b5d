// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/base/line_buffer.h"

namespace kernelgen {

/// JSON lines over two descriptors, which the caller still owns. Writing is thread safe; only one thread may read.
class LineChannel {
public:
    /// A line over `line_limit` bytes ends the channel: a peer that sends such lines does not speak the protocol.
    LineChannel(int input, int output, std::size_t line_limit = 256u << 20)
        : input_(input), output_(output), line_limit_(line_limit) {}

    /// The next line without its newline; nothing at the end of the input or on an error.
    std::optional<std::string> read_line();
    /// Whether a line over the limit ended the channel.
    bool was_too_long() const { return received_.size() > line_limit_; }
    /// What came after the last line's newline. For the thread that reads.
    const std::string& rest() const { return received_.rest(); }

    /// Writes one message; false when the peer is gone.
    bool write(const nlohmann::json& message);
    /// The same of a message that is written already, without its newline.
    bool write_line(std::string line);

private:
    int input_;
    int output_;
    std::size_t line_limit_;
    LineBuffer received_;
    std::mutex writing_;
};

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kernelgen {

/// Collects bytes as they arrive and returns them line by line. Every byte is scanned once, however small the pieces
/// are.
class LineBuffer {
public:
    void append(std::string_view bytes) { bytes_.append(bytes); }

    /// The next line without its newline; nothing where no line is complete.
    std::optional<std::string> take_line() {
        const std::size_t newline = bytes_.find('\n', scanned_);
        if (newline == std::string::npos) {
            scanned_ = bytes_.size();
            return std::nullopt;
        }
        std::string line = bytes_.substr(0, newline);
        bytes_.erase(0, newline + 1);
        scanned_ = 0;
        return line;
    }

    std::size_t size() const { return bytes_.size(); }  ///< bytes that were not given out
    const std::string& rest() const { return bytes_; }  ///< these bytes

private:
    std::string bytes_;
    std::size_t scanned_ = 0;
};

}  // namespace kernelgen

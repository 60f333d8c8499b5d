// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// A table whose rows are as long as its header.
struct MarkdownTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};

/// With an empty line after it; "" without rows. Cells are kept to one line, and bars in them escaped.
std::string to_markdown(const MarkdownTable& table);

/// A heading with an empty line after it.
std::string heading(int level, std::string_view text);

/// "- text" on a line of its own; a list takes an empty line after its last.
std::string bullet(std::string_view text);

/// A paragraph with an empty line after it.
std::string paragraph(std::string_view text);

/// A fenced block that nothing in `text` can end early.
std::string fenced(std::string_view language, std::string_view text);

/// What a person or a program wrote, on one line and without HTML.
std::string as_prose(std::string_view text);

/// In backquotes, as many as `text` needs.
std::string in_code(std::string_view text);

/// Each in backquotes, with commas between.
std::string in_codes(const std::vector<std::string>& texts);

}  // namespace kernelgen

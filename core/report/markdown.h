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

/// The table with an empty line after it; "" without rows. Line breaks in cells are removed, and bars are escaped.
std::string to_markdown(const MarkdownTable& table);

/// A heading with an empty line after it.
std::string heading(int level, std::string_view text);

/// "- text" on a line of its own; add an empty line after a list's last item.
std::string bullet(std::string_view text);

/// A paragraph with an empty line after it.
std::string paragraph(std::string_view text);

/// A fenced block; no line of `text` can end it early.
std::string fenced(std::string_view language, std::string_view text);

/// A text of a person or a program, on one line, without HTML and pictures.
std::string as_prose(std::string_view text);

/// `text` in backquotes, as many as it needs.
std::string in_code(std::string_view text);

/// The texts, each in backquotes, separated by commas.
std::string in_codes(const std::vector<std::string>& texts);

}  // namespace kernelgen

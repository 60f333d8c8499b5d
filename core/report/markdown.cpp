// SPDX-License-Identifier: Apache-2.0
#include "core/report/markdown.h"

#include <algorithm>

#include "core/base/text.h"

namespace kernelgen {

namespace {

std::string one_line(std::string_view text) {
    std::string result;
    for (const char c : trim(text)) {
        const bool control = static_cast<unsigned char>(c) < 32 || c == 127;
        if (!control) result += c;
        else if (!result.empty() && result.back() != ' ') result += ' ';
    }
    return result;
}

std::string cell(std::string_view text) {
    std::string result;
    for (const char c : one_line(text)) {
        if (c == '|') result += '\\';
        result += c;
    }
    return result;
}

std::string row_text(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& each : cells) text += " " + cell(each) + " |";
    return text + "\n";
}

/// The longest run of backquotes.
std::size_t longest_run(std::string_view text) {
    std::size_t longest = 0, run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

}  // namespace

std::string to_markdown(const MarkdownTable& table) {
    if (table.rows.empty()) return "";
    std::string text = row_text(table.header) + "|";
    for (std::size_t i = 0; i < table.header.size(); ++i) text += " --- |";
    text += "\n";
    for (const auto& row : table.rows) text += row_text(row);
    return text + "\n";
}

std::string heading(int level, std::string_view text) {
    return std::string(static_cast<std::size_t>(level), '#') + " " + one_line(text) + "\n\n";
}

std::string bullet(std::string_view text) { return "- " + one_line(text) + "\n"; }

std::string paragraph(std::string_view text) { return one_line(text) + "\n\n"; }

std::string fenced(std::string_view language, std::string_view text) {
    const std::string fence(std::max<std::size_t>(3, longest_run(text) + 1), '`');
    std::string block = fence + std::string(language) + "\n" + std::string(text);
    if (!block.ends_with('\n')) block += '\n';
    return block + fence + "\n\n";
}

std::string as_prose(std::string_view text) {
    std::string result;
    for (const char c : one_line(text)) {
        if (c == '<') result += "&lt;";
        else if (c == '[' && result.ends_with('!')) result += " [";  // no picture from somewhere else
        else result += c;
    }
    return result;
}

std::string in_code(std::string_view text) {
    const std::string line = one_line(text);
    if (line.empty()) return "";
    const std::size_t run = longest_run(line);
    if (run == 0) return "`" + line + "`";
    const std::string quote(run + 1, '`');
    return quote + " " + line + " " + quote;
}

std::string in_codes(const std::vector<std::string>& texts) {
    std::vector<std::string> all;
    for (const std::string& each : texts) all.push_back(in_code(each));
    return join(all, ", ");
}

}  // namespace kernelgen

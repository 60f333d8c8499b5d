// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/source_view.h"

#include <algorithm>
#include <cctype>

namespace kernelgen {

namespace {

/// The place behind a text in quotes that begins at `begin` with `quotes`.
std::size_t end_of_quotes(std::string_view text, std::size_t begin, std::string_view quotes) {
    const bool is_long = quotes.size() == 3;
    for (std::size_t i = begin + quotes.size(); i < text.size(); ++i) {
        if (text[i] == '\\') ++i;
        else if (text.substr(i).starts_with(quotes)) return i + quotes.size();
        else if (text[i] == '\n' && !is_long) return i;
    }
    return text.size();
}

std::size_t end_of_line(std::string_view text, std::size_t begin) {
    return std::min(text.find('\n', begin), text.size());
}

/// The place behind the comment or the text in quotes that begins at `begin`; `begin` where none does.
std::size_t end_of_blank(std::string_view text, std::size_t begin, bool is_python) {
    const std::string_view rest = text.substr(begin);
    if (is_python && rest.starts_with('#')) return end_of_line(text, begin);
    if (!is_python && rest.starts_with("//")) return end_of_line(text, begin);
    if (!is_python && rest.starts_with("/*")) {
        const std::size_t end = text.find("*/", begin + 2);
        return end == std::string_view::npos ? text.size() : end + 2;
    }
    for (const std::string_view quotes : {"\"\"\"", "'''"}) {
        if (is_python && rest.starts_with(quotes)) return end_of_quotes(text, begin, quotes);
    }
    if (rest.starts_with('"') || rest.starts_with('\'')) return end_of_quotes(text, begin, rest.substr(0, 1));
    return begin;
}

enum class Sort { blank, word, other };

Sort sort_of(char each) {
    if (std::isspace(static_cast<unsigned char>(each)) != 0) return Sort::blank;
    return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_' ? Sort::word : Sort::other;
}

/// Breaks runs of over 1000 blanks, or letters and digits, with a character that is neither: std::regex recurses with
/// the length of what a part of a pattern matches.
void break_long_runs(std::string& code) {
    constexpr int longest = 1000;
    Sort before = Sort::other;
    int run = 0;
    for (char& each : code) {
        const Sort sort = sort_of(each);
        run = sort == before ? run + 1 : 1;
        before = sort;
        if (run < longest || sort == Sort::other) continue;
        each = '\x1f';
        before = Sort::other;
    }
}

}  // namespace

std::string without_comments(std::string_view text, bool is_python) {
    std::string code(text);
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = end_of_blank(text, i, is_python);
        if (end == i) {
            ++i;
            continue;
        }
        for (; i < end; ++i) {
            if (code[i] != '\n') code[i] = ' ';
        }
    }
    break_long_runs(code);
    return code;
}

std::size_t closing(std::string_view code, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        if (code[i] == '(' || code[i] == '[' || code[i] == '{') ++depth;
        if (code[i] == ')' || code[i] == ']' || code[i] == '}') --depth;
        if (depth == 0) return i;
    }
    return std::string_view::npos;
}

int line_at(std::string_view text, std::size_t place) {
    return 1 + static_cast<int>(std::ranges::count(text.substr(0, place), '\n'));
}

int first_difference(std::string_view before, std::string_view after) {
    const auto [one, other] = std::ranges::mismatch(before, after);
    return line_at(before, static_cast<std::size_t>(one - before.begin()));
}

}  // namespace kernelgen

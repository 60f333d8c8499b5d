// SPDX-License-Identifier: Apache-2.0
#include "core/project/cpp_text.h"

#include <algorithm>
#include <string_view>

#include "core/base/text.h"

namespace kernelgen {

namespace {

/// The place behind the next `what`, or the text's end.
std::size_t behind(const std::string& source, std::string_view what, std::size_t from) {
    const std::size_t found = source.find(what, from);
    return found == std::string::npos ? source.size() : found + what.size();
}

/// The place behind the closing quote of the literal that begins at `at`; of a character, which one of a number's
/// digits may seem to begin, only where it is one.
std::size_t end_of_literal(const std::string& source, std::size_t at) {
    std::size_t end = at + 1;
    while (end < source.size() && source[end] != source[at]) end += source[end] == '\\' ? 2 : 1;
    constexpr std::size_t longest_character = 4;
    return source[at] == '\'' && end - at >= longest_character ? at + 1 : std::min(end + 1, source.size());
}

void blank(std::string& source, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        if (source[i] != '\n') source[i] = ' ';
}

/// As `end_of_no_code`, but `at` where a directive begins: that may name macros.
std::size_t end_of_comment_or_literal(const std::string& source, std::size_t at) {
    return source[at] == '#' ? at : end_of_no_code(source, at);
}

}  // namespace

std::size_t end_of_no_code(const std::string& source, std::size_t at) {
    if (source.compare(at, 2, "//") == 0) return behind(source, "\n", at);
    if (source.compare(at, 2, "/*") == 0) return behind(source, "*/", at + 2);
    if (source[at] == '"' || source[at] == '\'') return end_of_literal(source, at);
    if (source[at] != '#') return at;
    std::size_t end = behind(source, "\n", at);
    while (end < source.size() && trim(std::string_view(source).substr(at, end - at)).ends_with("\\"))
        end = behind(source, "\n", end);
    return end;
}

std::string without_comments(std::string source, std::size_t begin, std::size_t end) {
    for (std::size_t at = 0; at < end;) {
        const std::size_t next = end_of_comment_or_literal(source, at);
        if (source[at] == '/' && next != at) blank(source, std::max(at, begin), std::min(next, end));
        at = std::max(next, at + 1);
    }
    return source;
}

std::string without_comments_and_literals(std::string source) {
    for (std::size_t at = 0; at < source.size();) {
        const std::size_t next = end_of_comment_or_literal(source, at);
        blank(source, at, next);
        at = std::max(next, at + 1);
    }
    return source;
}

}  // namespace kernelgen

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
        const std::size_t next = source[at] == '#' ? at : end_of_no_code(source, at);  // directives have comments, too
        const bool is_comment = source[at] == '/' && next != at;
        for (std::size_t i = std::max(at, begin); is_comment && i < std::min(next, end); ++i)
            if (source[i] != '\n') source[i] = ' ';
        at = std::max(next, at + 1);
    }
    return source;
}

}  // namespace kernelgen

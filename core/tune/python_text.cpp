// SPDX-License-Identifier: Apache-2.0
#include "core/tune/python_text.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"

namespace kernelgen {

namespace {

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What follows `lambda p:` or `lambda x, y:`; all of it where it does not begin so.
std::string_view body_of_lambda(std::string_view text) {
    constexpr std::string_view word = "lambda";
    text = trim(text);
    const std::size_t colon = text.find(':');
    if (!text.starts_with(word) || colon == std::string_view::npos) return text;
    const std::string_view names = text.substr(word.size(), colon - word.size());
    const bool are_names =
        std::ranges::all_of(names, [](char c) { return is_in_name(c) || c == ',' || c == ' '; }) && !names.empty();
    return are_names && !is_in_name(names.front()) ? text.substr(colon + 1) : text;
}

/// "x" of `["x"]` at the text's begin, and how long that is; nothing where it is something else.
std::optional<std::pair<std::string_view, std::size_t>> subscript(std::string_view text) {
    const std::size_t quote = text.find_first_not_of(' ', 1);
    if (quote == std::string_view::npos || (text[quote] != '"' && text[quote] != '\'')) return std::nullopt;
    const std::size_t end = text.find(text[quote], quote + 1);
    const std::size_t bracket = end == std::string_view::npos ? end : text.find_first_not_of(' ', end + 1);
    if (bracket == std::string_view::npos || text[bracket] != ']') return std::nullopt;
    const std::string_view name = text.substr(quote + 1, end - quote - 1);
    if (name.empty() || !std::ranges::all_of(name, is_in_name)) return std::nullopt;
    return std::pair(name, bracket + 1);
}

/// `p["x"]` is `x`, whatever `p` is called.
std::string without_subscripts(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const bool has_owner = text[at] == '[' && !plain.empty() && is_in_name(plain.back());
        const auto found = has_owner ? subscript(text.substr(at)) : std::nullopt;
        if (!found) {
            plain += text[at++];
            continue;
        }
        while (!plain.empty() && is_in_name(plain.back())) plain.pop_back();
        plain += found->first;
        at += found->second;
    }
    return plain;
}

bool ends_with_in(std::string_view text) {
    text = trim(text);
    return text == "in" || (text.ends_with("in") && !is_in_name(text[text.size() - 3]));
}

/// The lists and sets that follow `in` become tuples.
std::string with_tuples(std::string text) {
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool opens = text[at] == '[' || text[at] == '{', closes = text[at] == ']' || text[at] == '}';
        if (opens && (depth > 0 || ends_with_in(std::string_view(text).substr(0, at)))) {
            text[at] = '(';
            ++depth;
        } else if (closes && depth > 0) {
            text[at] = ')';
            --depth;
        }
    }
    return text;
}

}  // namespace

std::vector<std::string_view> split_outside(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = find_outside(text, begin, [&](std::size_t at) { return text[at] == separator; });
        parts.push_back(trim(text.substr(begin, end - begin)));
        if (end == std::string_view::npos) return parts;
        begin = end + 1;
    }
}

std::optional<std::string_view> within(std::string_view text, std::string_view open, char close) {
    if (text.size() <= open.size() || !text.starts_with(open) || text.back() != close) return std::nullopt;
    const std::size_t first = open.size() - 1;
    const std::size_t end = find_outside(text, first + 1, [&](std::size_t at) { return text[at] == close; });
    if (end != text.size() - 1) return std::nullopt;
    return trim(text.substr(open.size(), text.size() - open.size() - 1));
}

std::string plain_python(std::string_view condition) {
    return with_tuples(without_subscripts(body_of_lambda(condition)));
}

}  // namespace kernelgen

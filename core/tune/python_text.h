// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// Where `wanted` says so outside of all parentheses and brackets, from `begin` on.
template <class Wanted>
std::size_t find_outside(std::string_view text, std::size_t begin, const Wanted& wanted) {
    int depth = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
        if (depth == 0 && wanted(at)) return at;
        if (text[at] == '(' || text[at] == '[') ++depth;
        if (text[at] == ')' || text[at] == ']') --depth;
    }
    return std::string_view::npos;
}

/// The trimmed parts between the separators that are outside of all parentheses and brackets.
std::vector<std::string_view> split_outside(std::string_view text, char separator);

/// The text within, where all of it is `open`…`close`: "1, 2" of "range(1, 2)" for "range(" and ')'.
std::optional<std::string_view> within(std::string_view text, std::string_view open, char close);

/// A condition without what only Python has around names and lists: `lambda p: p["x"] in [1, 2]` is `x in (1, 2)`.
std::string plain_python(std::string_view condition);

}  // namespace kernelgen

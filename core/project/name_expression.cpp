// SPDX-License-Identifier: Apache-2.0
#include "core/project/name_expression.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/project/names.h"

namespace kernelgen {
namespace {

constexpr std::size_t longest_expression = 500;

/// A name without the template's arguments, as "mine::softmax".
std::string_view qualified_name(std::string_view entry) { return trim(entry.substr(0, entry.find('<'))); }

/// Why a name with its namespaces, "mine::softmax" or "::softmax", is none.
std::optional<std::string> qualified_name_problem(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    for (std::size_t end = name.find("::"); end != name.npos; end = name.find("::")) {
        if (const auto problem = identifier_problem(name.substr(0, end))) return problem;
        name.remove_prefix(end + 2);
    }
    return identifier_problem(name);
}

bool may_stand_in_arguments(unsigned char c) {
    return c < 128 && (std::isalnum(c) || std::string_view("_ ,:<>()*&+-/%.?=!|^~[]'").contains(static_cast<char>(c)));
}

/// Whether the text is one list in `<…>`, in which every bracket is closed.
bool is_argument_list(std::string_view text) {
    int angles = 0, parentheses = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++parentheses;
        if (text[i] == ')') --parentheses;
        if (text[i] == '<' && parentheses == 0) ++angles;
        if (text[i] == '>' && parentheses == 0) --angles;
        const bool has_ended = angles == 0 && i + 1 < text.size();
        if (parentheses < 0 || has_ended) return false;
    }
    return angles == 0 && parentheses == 0;
}

}  // namespace

bool is_name_expression(std::string_view entry) { return entry.contains('<') || entry.contains("::"); }

std::optional<Said> name_expression_problem(std::string_view entry) {
    if (entry.size() > longest_expression) {
        return "is longer than " + std::to_string(longest_expression) + " characters";
    }
    if (const auto problem = qualified_name_problem(qualified_name(entry))) return problem;
    const std::string_view arguments = entry.substr(std::min(entry.find('<'), entry.size()));
    if (std::ranges::all_of(arguments, may_stand_in_arguments) && is_argument_list(arguments)) return std::nullopt;
    return "is no instance of a template: `<`, the arguments, and `>` at the end; write `<` and `>` that compare "
           "within "
           "parentheses";
}

std::string_view function_of(std::string_view entry) {
    const std::string_view name = qualified_name(entry);
    const std::size_t colons = name.rfind("::");
    return colons == name.npos ? name : name.substr(colons + 2);
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/files/kernel_signature.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/project/cpp_text.h"

namespace kernelgen {

namespace {

/// The place behind the `)` that closes the `(` before `open`; npos where none does.
std::size_t end_of_parentheses(const std::string& source, std::size_t open) {
    int depth = 1;
    for (std::size_t at = open; at < source.size(); ++at) {
        if (source[at] == '(') ++depth;
        if (source[at] == ')' && --depth == 0) return at + 1;
    }
    return std::string::npos;
}

/// "filter" of "const float* __restrict__ filter".
std::string name_in(const std::string& parameter) {
    std::size_t end = parameter.size();
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (end > 0 && !is_part(parameter[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_part(parameter[begin - 1])) --begin;
    return parameter.substr(begin, end - begin);
}

std::vector<KernelParameter> parameters_in(const std::string& source, std::size_t begin, std::size_t end) {
    std::vector<KernelParameter> parameters;
    for (const std::string& part : split(source.substr(begin, end - begin), ',')) {
        const std::size_t blank = part.find_first_not_of(" \t\n\r");
        if (blank != std::string::npos) parameters.push_back({begin + blank, std::string(trim(part)), name_in(part)});
        begin += part.size() + 1;
    }
    return parameters;
}

/// Whether what ends here is `word`.
bool ends_with_word(std::string_view text, std::string_view word) { return trim(text).ends_with(word); }

/// Whether all conditions of the preprocessor in the text end there, and none that began before it.
bool has_whole_conditions(const std::string& text) {
    int depth = 0;
    for (const std::string& line : split(text, '\n')) {
        const std::string_view directive = trim(line);
        if (!directive.starts_with('#')) continue;
        const std::string_view word = trim(directive.substr(1));
        depth += (word.starts_with("if") ? 1 : 0) - (word.starts_with("endif") ? 1 : 0);
        if (depth < 0) return false;
    }
    return depth == 0;
}

/// The place of the first `__global__` of the declaration of a name at `place`, which no condition of the preprocessor
/// may take away; npos where there is none.
std::size_t global_before(const std::string& source, std::size_t place) {
    std::size_t begin = std::string::npos;
    for (std::size_t at = place; at > 0 && (at = source.rfind("__global__", at - 1)) != std::string::npos;) {
        if (source.find_first_of(";{}", at) < place) break;  // another declaration's
        if (has_whole_conditions(source.substr(at, place - at))) begin = at;
    }
    return begin;
}

bool is_word_at(const std::string& source, std::size_t place, std::size_t length) {
    const auto is_part = [&](std::size_t at) {
        return at < source.size() && (std::isalnum(static_cast<unsigned char>(source[at])) != 0 || source[at] == '_');
    };
    return !(place > 0 && is_part(place - 1)) && !is_part(place + length);
}

/// Whether the declaration that goes on at `place` begins with `template`.
bool is_template(const std::string& source, std::size_t place) {
    std::string declaration;
    for (std::size_t at = 0; at < place;) {
        if (const std::size_t end = end_of_no_code(source, at); end != at) {
            at = end;
            continue;
        }
        const char c = source[at++];
        if (std::string_view(";{}").contains(c)) declaration.clear();
        else declaration += c;
    }
    constexpr std::string_view word = "template";
    const std::string begun(trim(declaration));
    return begun.starts_with(word) && is_word_at(begun, 0, word.size());
}

}  // namespace

Result<KernelSignature> find_kernel(const std::string& text, const std::string& name) {
    const std::string source = without_comments(text, 0, text.size());
    for (std::size_t at = source.find(name); at != std::string::npos; at = source.find(name, at + 1)) {
        const std::size_t begin = is_word_at(source, at, name.size()) ? global_before(source, at) : std::string::npos;
        const std::size_t open = source.find_first_not_of(" \t\n\r", at + name.size());
        if (begin == std::string::npos || open == std::string::npos || source[open] != '(') continue;
        const std::size_t end = end_of_parentheses(source, open + 1);
        if (end == std::string::npos || !trim(std::string_view(source).substr(end)).starts_with("{")) continue;
        const std::string_view before = std::string_view(source).substr(0, begin);
        if (is_template(source, begin)) return fail("the kernel `" + name + "` is a template: write its types out");
        return KernelSignature{begin, ends_with_word(before, "extern \"C\""), parameters_in(source, open + 1, end - 1),
                               source.find('{', end) + 1};
    }
    return fail("the source defines no `__global__` function `" + name + "`");
}

}  // namespace kernelgen

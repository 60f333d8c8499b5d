// SPDX-License-Identifier: Apache-2.0
#include "core/project/tunable_macros.h"

#include <algorithm>
#include <format>
#include <regex>

#include "core/base/text.h"
#include "core/project/source_files.h"

namespace kernelgen {

namespace {

/// The text with blanks in place of comments; lines stay.
std::string without_comments(std::string text) {
    for (std::size_t at = text.find('/'); at < text.size(); at = text.find('/', at)) {
        const bool is_line = text.compare(at, 2, "//") == 0, is_block = text.compare(at, 2, "/*") == 0;
        std::size_t end = at + 1;
        if (is_line) end = std::min(text.find('\n', at), text.size());
        if (is_block) end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
        for (; (is_line || is_block) && at < end; ++at) {
            if (text[at] != '\n') text[at] = ' ';
        }
        at = end;
    }
    return text;
}

void check_source(const std::string& file, const std::string& text, const Variant& variant, Diagnostics& found) {
    static const std::regex directive(R"(^\s*#\s*(ifdef|ifndef|if|endif|define)\b\s*([A-Za-z_]\w*)?.*)");
    int depth = 0, number = 0;
    for (const std::string& line : split(without_comments(text), '\n')) {
        ++number;
        std::smatch match;
        if (line.size() > 10'000 || !std::regex_match(line, match, directive)) continue;
        const std::string word = match[1], name = match[2];
        if (word == "endif") --depth;
        else if (word != "define") ++depth;
        if (word != "define" || depth != 0 || !std::ranges::contains(variant.tunables, name, &Tunable::name)) continue;
        found.push_back(
            {file, say("line {}", number),
             say("`{}` overrides the tunable `{}`, whose value the compiler is given as a macro", trim(line), name),
             say("leave the line out, or put it between `#ifndef {}` and `#endif`", name)});
    }
}

}  // namespace

Diagnostics overridden_tunables(const Implementation& implementation) {
    const Variant& variant = implementation.variant;
    Diagnostics found;
    const bool has_macros = variant.language == Language::cpp || variant.language == Language::cuda ||
                            variant.language == Language::extension;
    if (!has_macros) return found;
    check_source(variant.source, implementation.text, variant, found);
    for (const auto& [file, text] : implementation.files) check_source(file, text, variant, found);
    return found;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/project/tunable_macros.h"

#include <algorithm>
#include <cctype>
#include <format>
#include <map>
#include <regex>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/project/includes.h"
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

bool has_macros(const Variant& variant) {
    return variant.language == Language::cpp || variant.language == Language::cuda ||
           variant.language == Language::extension;
}

/// Adds the headers of kernelgen that a text includes, and those that they include, without comments.
void add_headers(const std::string& text, std::map<std::string, std::string>& headers) {
    for (const Include& each : includes_of(text)) {
        const Result<std::string> header = read_file(resource_folder() / "include" / each.name);
        if (!header || !headers.emplace(each.name, without_comments(*header)).second) continue;
        add_headers(*header, headers);
    }
}

bool has_word(std::string_view text, std::string_view word) {
    const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]))) return true;
    }
    return false;
}

}  // namespace

Diagnostics tunables_in_headers(const Implementation& implementation) {
    const Variant& variant = implementation.variant;
    Diagnostics found;
    if (!has_macros(variant) || variant.tunables.empty()) return found;
    std::map<std::string, std::string> headers;
    add_headers(implementation.text, headers);
    for (const auto& [file, text] : implementation.files) add_headers(text, headers);
    for (const Tunable& tunable : variant.tunables) {
        const auto header =
            std::ranges::find_if(headers, [&](const auto& each) { return has_word(each.second, tunable.name); });
        if (header == headers.end()) continue;
        found.push_back({"", "variant " + variant.name,
                         say("the name of the tunable `{}` stands in kernelgen's `{}`, which its macro would change",
                             tunable.name, header->first),
                         "choose another name, such as BLOCK_ROWS: capitals, and more than one letter"});
    }
    return found;
}

Diagnostics overridden_tunables(const Implementation& implementation) {
    const Variant& variant = implementation.variant;
    Diagnostics found;
    if (!has_macros(variant)) return found;
    check_source(variant.source, implementation.text, variant, found);
    for (const auto& [file, text] : implementation.files) check_source(file, text, variant, found);
    return found;
}

}  // namespace kernelgen

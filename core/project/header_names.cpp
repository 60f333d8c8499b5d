// SPDX-License-Identifier: Apache-2.0
#include "core/project/header_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "core/base/file.h"
#include "core/project/cpp_text.h"
#include "core/project/includes.h"

namespace kernelgen {

namespace {

/// Adds the code of the headers of kernelgen that a text includes, and of those that they include.
void add_headers(const std::string& text, std::map<std::string, std::string>& headers) {
    for (const Include& each : includes_of(text)) {
        const Result<std::string> header = read_file(resource_folder() / "include" / each.name);
        if (!header || !headers.emplace(each.name, without_comments_and_literals(*header)).second) continue;
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
    if (!tunables_are_macros(variant.language) || variant.tunables.empty()) return found;
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

}  // namespace kernelgen

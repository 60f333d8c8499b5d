// SPDX-License-Identifier: Apache-2.0
#include "core/project/includes.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/base/text.h"

namespace kernelgen {

namespace {

/// Takes `word` from the beginning of `line`, where it stands there as a word of its own, with the blanks behind it.
bool take_word(std::string_view& line, std::string_view word) {
    if (!line.starts_with(word)) return false;
    const std::string_view rest = line.substr(word.size());
    if (!rest.empty() && (std::isalnum(static_cast<unsigned char>(rest[0])) || rest[0] == '_')) return false;
    line = trim(rest);
    return true;
}

std::optional<Include> include_of(std::string_view line) {
    line = trim(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = trim(line.substr(1));
    if (!take_word(line, "include") && !take_word(line, "include_next") && !take_word(line, "import")) return {};
    if (line.empty() || (line[0] != '"' && line[0] != '<')) return std::nullopt;
    const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == line.npos || end == 1) return std::nullopt;
    return Include{std::string(line.substr(1, end - 1)), line[0] == '"'};
}

/// The statements of a Python text without comments: lines that a backslash or a parenthesis of `from` joins are one.
std::vector<std::string> import_statements(std::string_view text) {
    std::vector<std::string> statements;
    bool goes_on = false;
    for (const std::string& each : split(text, '\n')) {
        std::string_view line = trim(std::string_view(each).substr(0, each.find('#')));
        const bool is_joined = line.ends_with('\\');
        if (is_joined) line = trim(line.substr(0, line.size() - 1));
        std::string_view rest = line;
        const bool begins = take_word(rest, "import") || take_word(rest, "from");
        if (goes_on) statements.back() += " " + std::string(line);
        else if (begins) statements.emplace_back(line);
        if (!goes_on && !begins) continue;
        const std::string& whole = statements.back();
        const bool is_open = whole.find('(') != whole.npos && whole.find(')') == whole.npos;
        goes_on = is_joined || (is_open && whole.size() < 10'000);
    }
    return statements;
}

/// "a.b" of "a.b as c".
std::string name_before_as(std::string_view text) {
    text = trim(text);
    return std::string(text.substr(0, text.find_first_of(" \t;)")));
}

std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    for (const std::string& each : split(list, ',')) {
        std::string name = name_before_as(each);
        if (!name.empty()) names.push_back(std::move(name));
    }
    return names;
}

std::optional<Import> from_import(std::string_view rest) {
    Import result;
    while (rest.starts_with('.')) {
        ++result.level;
        rest = trim(rest.substr(1));
    }
    const std::size_t end = rest.find_first_of(" \t");
    if (!take_word(rest, "import")) {
        if (end == rest.npos) return std::nullopt;
        result.module = rest.substr(0, end);
        rest = trim(rest.substr(end));
        if (!take_word(rest, "import")) return std::nullopt;
    }
    if (rest.starts_with('(')) rest.remove_prefix(1);
    result.names = names_in(rest);
    return result;
}

}  // namespace

std::vector<Include> includes_of(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::vector<Include> includes;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (auto include = include_of(text.substr(begin, end - begin))) includes.push_back(std::move(*include));
        begin = end + 1;
    }
    return includes;
}

std::vector<Import> imports_of(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::vector<Import> imports;
    for (const std::string& statement : import_statements(text)) {
        std::string_view rest = statement;
        if (take_word(rest, "from")) {
            if (auto import = from_import(rest)) imports.push_back(std::move(*import));
        } else if (take_word(rest, "import")) {
            for (const std::string& module : names_in(rest)) imports.push_back({0, module, {}});
        }
    }
    return imports;
}

}  // namespace kernelgen

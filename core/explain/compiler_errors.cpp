// SPDX-License-Identifier: Apache-2.0
#include "core/explain/compiler_errors.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace kernelgen {

namespace {

constexpr std::size_t longest_pattern = 200;
constexpr std::size_t most_searched = 4000;
constexpr std::string_view known_errors_schema = "kernelgen.compiler_errors/1";

/// The largest group that a text names, as in "{2}"; 0: none.
std::size_t largest_group_in(const std::string& text) {
    std::size_t largest = 0;
    for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
        const bool is_group =
            at + 2 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0 && text[at + 2] == '}';
        if (is_group) largest = std::max(largest, static_cast<std::size_t>(text[at + 1] - '0'));
    }
    return largest;
}

/// The whole document.
struct KnownErrors {
    std::string schema;
    std::vector<KnownError> errors;
};

}  // namespace

void read(const JsonPlace& place, BothTongues& texts) {
    JsonObject object(place);
    object.required("en", texts.english);
    object.required("zh", texts.chinese);
    object.finish();
    if (texts.english.empty() || texts.chinese.empty()) place.error("a text is empty");
}

void read(const JsonPlace& place, std::regex& pattern) {
    std::string text;
    read(place, text);
    if (text.empty() || text.size() > longest_pattern)
        return place.error("expected a pattern of 1 to " + std::to_string(longest_pattern) + " bytes");
    try {
        pattern.assign(text, std::regex::ECMAScript | std::regex::icase | std::regex::optimize);
    } catch (const std::regex_error&) {
        place.error("`" + text + "` is no regular expression");
    }
}

void read(const JsonPlace& place, KnownError& error) {
    JsonObject object(place);
    object.required("id", error.id);
    object.required("pattern", error.pattern);
    object.required("why", error.why);
    object.required("what_to_do", error.what_to_do);
    object.finish();
    for (const BothTongues* each : {&error.why, &error.what_to_do}) {
        const std::size_t largest = std::max(largest_group_in(each->english), largest_group_in(each->chinese));
        if (largest > error.pattern.mark_count())
            place.error("a text names group " + std::to_string(largest) + ", which the pattern does not have");
    }
}

void read(const JsonPlace& place, KnownErrors& all) {
    JsonObject object(place);
    object.required("schema", all.schema);
    object.required("errors", all.errors);
    object.finish();
    if (all.schema != known_errors_schema) place.error("expected schema " + std::string(known_errors_schema));
    std::set<std::string> ids;
    for (const KnownError& each : all.errors) {
        if (!ids.insert(each.id).second) place.error("the id `" + each.id + "` is given twice");
    }
}

namespace {

/// A text filled with what the groups of the pattern matched. `plain` keeps control characters and backquotes out.
std::string filled(const std::string& text, const std::vector<std::string>& groups) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_group =
            i + 2 < text.size() && text[i] == '{' && text[i + 1] >= '1' && text[i + 1] <= '9' && text[i + 2] == '}';
        if (!is_group) {
            result += text[i];
            continue;
        }
        result += groups[static_cast<std::size_t>(text[i + 1] - '1')];
        i += 2;
    }
    return result;
}

std::string plain(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::iscntrl(c) != 0 || c == '`'; });
    return text;
}

BothTongues filled(const BothTongues& texts, const std::vector<std::string>& groups) {
    return {filled(texts.english, groups), filled(texts.chinese, groups)};
}

}  // namespace

Validated<std::vector<KnownError>> parse_known_errors(std::string_view text, const std::string& file) {
    const Validated<nlohmann::json> document = parse_json(text, file);
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    KnownErrors all;
    read(JsonPlace(*document, diagnostics), all);
    for (Diagnostic& each : diagnostics) each.file = file;
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return std::move(all.errors);
}

const std::vector<KnownError>& known_errors() {
    static const std::vector<KnownError> errors = [] {
        const std::string path = (resource_folder() / "explain" / "compiler_errors.json").string();
        const Result<std::string> text = read_file(path);
        Validated<std::vector<KnownError>> read_errors;
        if (text) read_errors = parse_known_errors(*text, path);
        return read_errors ? std::move(*read_errors) : std::vector<KnownError>();
    }();
    return errors;
}

std::optional<ErrorExplanation> explain_error(std::string_view message, const std::vector<KnownError>& errors) {
    const std::string searched(message.substr(0, most_searched));
    for (const KnownError& each : errors) {
        std::smatch match;
        if (!std::regex_search(searched, match, each.pattern)) continue;
        std::vector<std::string> groups;
        for (std::size_t i = 1; i < match.size(); ++i) groups.push_back(plain(match[i].str()));
        return ErrorExplanation{each.id, filled(each.why, groups), filled(each.what_to_do, groups)};
    }
    return std::nullopt;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/said/said.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "core/base/cause_sentences.h"
#include "core/base/checklist_sentences.h"
#include "core/base/json_reader.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/base/sentences.h"
#include "core/base/tuning_sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/said/parts.h"
#include "core/said/recognise.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::string_view ids[] = {
#define SENTENCE(name, chinese) #name,
#include "core/said/sentences.def"
#undef SENTENCE
#define SAID(id, english, chinese) #id,
#include "core/said/said_in_place.def"
#undef SAID
};

constexpr std::string_view english[] = {
#define SENTENCE(name, chinese) sentences::name,
#include "core/said/sentences.def"
#undef SENTENCE
#define SAID(id, english, chinese) english,
#include "core/said/said_in_place.def"
#undef SAID
};

/// A format with what std::format takes left out: "{} of {}" for "{} of {:.1f}". Takes any text.
std::string plain_format(std::string_view format) {
    std::string plain;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{')) {
        const std::size_t close = format.find('}', open);
        if (close == std::string_view::npos) break;
        plain.append(format.substr(0, open)).append("{}");
        format.remove_prefix(close + 1);
    }
    return plain.append(format);
}

json said_within(const Said& said, int depth);

/// The arguments of a sentence. One in backquotes is a name, and is taken as it stands.
json arguments_of(const Said& said, int depth) {
    json arguments = json::array();
    std::string_view rest = said.format();
    for (const Said& each : said.arguments()) {
        const std::size_t open = rest.find('{'), end = rest.find('}', open) + 1;
        const bool is_code = rest.substr(0, open).ends_with('`') && rest.substr(end).starts_with('`');
        arguments.push_back(is_code ? json(each.text()) : said_within(each, depth + 1));
        rest.remove_prefix(end);
    }
    return arguments;
}

/// A list of one is that one, and an empty list an empty text.
json one_or_list(json parts) {
    if (parts.empty()) return "";
    return parts.size() == 1 ? json(std::move(parts.front())) : std::move(parts);
}

/// A format that has no id: its pieces as texts, between its arguments.
json unnamed(const Said& said, json arguments) {
    json parts = json::array();
    std::string_view rest = said.format();
    for (json& each : arguments) {
        const std::size_t open = rest.find('{');
        add_part(parts, rest.substr(0, open));
        add_part(parts, std::move(each));
        rest.remove_prefix(rest.find('}', open) + 1);
    }
    add_part(parts, rest);
    return one_or_list(std::move(parts));
}

json said_within(const Said& said, int depth) {
    if (depth == deepest_said || said.text().size() > longest_said) return said.text();
    json parts = json::array();
    for (const Said& each : said.parts()) add_part(parts, said_within(each, depth + 1));
    if (!parts.empty()) return one_or_list(std::move(parts));
    if (said.format().empty()) return recognised(said.text());
    json arguments = arguments_of(said, depth);
    const std::optional<std::size_t> place = place_of_format(said.format());
    if (!place) return unnamed(said, std::move(arguments));
    return {{"id", ids[*place]}, {"arguments", std::move(arguments)}};
}

/// The number of an argument between the braces at `open`, or `next` where there is none.
std::size_t argument_at(std::string_view format, std::size_t open, std::size_t next) {
    const char digit = format[open + 1];
    return digit >= '0' && digit <= '9' ? static_cast<std::size_t>(digit - '0') : next;
}

json sentence_or_null(const Said& said) {
    json by = said_by(said);
    return by.is_string() ? json() : by;
}

using Formats = std::span<const std::string_view>;

/// Appends the text of `said`; whether it could.
bool append_worded(const json& said, Formats formats, int depth, std::string& text);

bool append_sentence(const json& said, Formats formats, int depth, std::string& text) {
    const auto id = said.find("id"), arguments = said.find("arguments");
    if (id == said.end() || arguments == said.end() || !arguments->is_array()) return false;
    const auto place = id->is_string() ? place_of_sentence(id->get_ref<const std::string&>()) : std::nullopt;
    if (!place || arguments->size() != count_of_places(english[*place])) return false;
    std::string_view format = formats[*place];
    std::size_t next = 0;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{')) {
        text += format.substr(0, open);
        const std::size_t number = argument_at(format, open, next++);
        if (number >= arguments->size() || !append_worded((*arguments)[number], formats, depth + 1, text)) return false;
        format.remove_prefix(format.find('}', open) + 1);
    }
    text += format;
    return true;
}

bool append_worded(const json& said, Formats formats, int depth, std::string& text) {
    if (said.is_string()) text += said.get_ref<const std::string&>();
    if (said.is_string()) return true;
    if (depth > deepest_said) return false;
    if (said.is_object()) return append_sentence(said, formats, depth, text);
    return said.is_array() && std::ranges::all_of(said, [&](const json& part) {
               return !part.is_array() && append_worded(part, formats, depth, text);
           });
}

/// Makes the `Said` of a value that `worded` accepts.
Said from_valid(const json& said) {
    if (said.is_string()) return said.get<std::string>();
    if (said.is_array()) {
        Said all;
        for (const json& each : said) all += from_valid(each);
        return all;
    }
    std::vector<Said> arguments;
    for (const json& each : said.at("arguments")) arguments.push_back(from_valid(each));
    return Said::sentence(english[place_of_sentence(said.at("id").get_ref<const std::string&>()).value()],
                          std::move(arguments));
}

Said said_or(const json& said, std::string text) { return said_from(said).value_or(std::move(text)); }

std::vector<Said> all_or(const json* said, std::vector<std::string> texts) {
    std::vector<Said> all(texts.begin(), texts.end());
    if (said == nullptr || !said->is_array() || said->size() != all.size()) return all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = said_or((*said)[i], std::move(texts[i]));
    return all;
}

}  // namespace

std::optional<std::size_t> place_of_sentence(std::string_view id) {
    static const auto places = [] {
        std::map<std::string_view, std::size_t> all;
        for (std::size_t i = 0; i < std::size(ids); ++i) all.emplace(ids[i], i);
        return all;
    }();
    const auto found = places.find(id);
    return found == places.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> place_of_format(std::string_view format) {
    static const auto places = [] {
        std::unordered_map<std::string, std::size_t> all;
        for (std::size_t i = 0; i < std::size(english); ++i) all.emplace(plain_format(english[i]), i);
        return all;
    }();
    const auto found = places.find(plain_format(format));
    return found == places.end() ? std::nullopt : std::optional(found->second);
}

json said_by(const Said& said) { return said_within(said, 0); }

std::span<const std::string_view> english_formats() { return english; }

std::span<const std::string_view> ids_of_sentences() { return ids; }

std::optional<std::string> worded(const json& said, Formats formats) {
    std::string text;
    return append_worded(said, formats, 0, text) ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<Said> said_from(const json& said) {
    if (!worded(said, english)) return std::nullopt;
    return from_valid(said);
}

void put_said(json& record, const std::string& key, const Said& said) {
    record[key] = said.text();
    json by = sentence_or_null(said);
    if (!by.is_null()) record[key + said_ending] = std::move(by);
}

void put_said(json& record, const std::string& key, const std::vector<Said>& all) {
    json texts = json::array(), by = json::array();
    for (const Said& each : all) {
        texts.push_back(each.text());
        by.push_back(sentence_or_null(each));
    }
    record[key] = std::move(texts);
    const bool has_none = std::all_of(by.begin(), by.end(), [](const json& each) { return each.is_null(); });
    if (!has_none) record[key + said_ending] = std::move(by);
}

Said own_words(const json& record, const std::string& key, std::string text) {
    const auto said = record.find(key + said_ending);
    return said == record.end() ? Said(std::move(text)) : said_or(*said, std::move(text));
}

Said own_words(const json& record, const std::string& key) {
    return own_words(record, key, record.at(key).get<std::string>());
}

std::vector<Said> all_own_words(const json& record, const std::string& key) {
    const auto said = record.find(key + said_ending);
    return all_or(said == record.end() ? nullptr : &*said, record.at(key).get<std::vector<std::string>>());
}

void read(const JsonPlace& place, Said& said) {
    std::string text;
    read(place, text);
    const json* beside = place.beside(said_ending);
    said = beside == nullptr ? Said(std::move(text)) : said_or(*beside, std::move(text));
}

void read(const JsonPlace& place, std::vector<Said>& all) {
    std::vector<std::string> texts;
    read(place, texts);
    all = all_or(place.beside(said_ending), std::move(texts));
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/said/said.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/cause_sentences.h"
#include "core/base/checklist_sentences.h"
#include "core/base/sentences.h"
#include "core/base/tuning_sentences.h"
#include "core/base/verdict_sentences.h"

namespace kernelgen {

using nlohmann::json;

namespace {

using Texts = std::vector<std::string_view>;

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

/// Longer ones hold the words of another program.
constexpr std::size_t longest_sentence = 2000;
/// How deep sentences are within one another.
constexpr int deepest = 16;

/// The text before, between and after the places of a format.
Texts pieces_of(std::string_view format) {
    Texts pieces;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{')) {
        pieces.push_back(format.substr(0, open));
        format.remove_prefix(format.find('}', open) + 1);
    }
    pieces.push_back(format);
    return pieces;
}

const std::vector<Texts>& all_pieces() {
    static const std::vector<Texts> pieces = [] {
        std::vector<Texts> all;
        std::ranges::transform(english, std::back_inserter(all), pieces_of);
        return all;
    }();
    return pieces;
}

/// What stands between the pieces in a sentence that their format made.
std::optional<Texts> held_by(std::string_view sentence, const Texts& pieces) {
    if (!sentence.starts_with(pieces.front())) return std::nullopt;
    sentence.remove_prefix(pieces.front().size());
    if (pieces.size() == 1) return sentence.empty() ? std::optional(Texts()) : std::nullopt;
    if (!sentence.ends_with(pieces.back())) return std::nullopt;
    sentence.remove_suffix(pieces.back().size());
    Texts held;
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
        const std::size_t end = sentence.find(pieces[i]);
        if (end == std::string_view::npos) return std::nullopt;
        held.push_back(sentence.substr(0, end));
        sentence.remove_prefix(end + pieces[i].size());
    }
    held.push_back(sentence);
    return held;
}

/// Adds to the parts of a list; strings that follow each other become one.
void add_part(json& parts, json part) {
    if (part.is_array()) {
        for (json& each : part) add_part(parts, std::move(each));
    } else if (part.is_string() && !parts.empty() && parts.back().is_string()) {
        parts.back().get_ref<std::string&>() += part.get_ref<const std::string&>();
    } else {
        parts.push_back(std::move(part));
    }
}

json said_within(std::string_view text, int depth);

/// "4096x4096 f32: " or "copying to the device: " before a sentence; one word is a name.
json said_after_place(std::string_view text, int depth) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string_view::npos) return text;
    const std::string_view before = text.substr(0, colon);
    json parts = json::array();
    add_part(parts, before.contains(' ') ? said_within(before, depth) : json(before));
    add_part(parts, ": ");
    add_part(parts, said_within(text.substr(colon + 2), depth));
    return parts.size() == 1 ? parts.front() : parts;
}

/// A format that begins with an argument has also taken into it what stands before the sentence, such as the case in
/// "64x64 f32: 3 elements …". Makes that a part of its own.
json with_case_before(json sentence) {
    json& first = sentence["arguments"][0];
    const std::string text = first.is_string() ? first.get<std::string>() : "";
    const std::size_t colon = text.rfind(": ");
    if (colon == std::string::npos) return sentence;
    first = text.substr(colon + 2);
    return json::array({text.substr(0, colon + 2), std::move(sentence)});
}

json said_within(std::string_view text, int depth) {
    if (depth == deepest) return text;
    const std::vector<Texts>& all = all_pieces();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto held = held_by(text, all[i]);
        if (!held) continue;
        json arguments = json::array();
        for (std::size_t k = 0; k < held->size(); ++k) {
            const bool is_code = all[i][k].ends_with('`') && all[i][k + 1].starts_with('`');
            arguments.push_back(is_code ? json((*held)[k]) : said_within((*held)[k], depth + 1));
        }
        json sentence = {{"id", ids[i]}, {"arguments", std::move(arguments)}};
        return all[i].front().empty() ? with_case_before(std::move(sentence)) : sentence;
    }
    return said_after_place(text, depth);
}

/// The number of an argument between the braces at `open`, or `next` where there is none.
std::size_t argument_at(std::string_view format, std::size_t open, std::size_t next) {
    const char digit = format[open + 1];
    return digit >= '0' && digit <= '9' ? static_cast<std::size_t>(digit - '0') : next;
}

json sentence_or_null(const json& text) {
    json said = said_by(text.get_ref<const std::string&>());
    return said.is_string() ? json() : said;
}

using Formats = std::span<const std::string_view>;

/// Appends the text of `said`; whether it could.
bool append_worded(const json& said, Formats formats, int depth, std::string& text);

bool append_sentence(const json& said, Formats formats, int depth, std::string& text) {
    const auto id = said.find("id"), arguments = said.find("arguments");
    if (id == said.end() || arguments == said.end() || !arguments->is_array()) return false;
    const auto place = id->is_string() ? place_of_sentence(id->get_ref<const std::string&>()) : std::nullopt;
    if (!place || arguments->size() + 1 != all_pieces()[*place].size()) return false;
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
    if (depth > deepest) return false;
    if (said.is_object()) return append_sentence(said, formats, depth, text);
    return said.is_array() && std::ranges::all_of(said, [&](const json& part) {
               return !part.is_array() && append_worded(part, formats, depth, text);
           });
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

json said_by(std::string_view text) { return text.size() > longest_sentence ? json(text) : said_within(text, 0); }

std::span<const std::string_view> english_formats() { return english; }

std::optional<std::string> worded(const json& said, Formats formats) {
    std::string text;
    return append_worded(said, formats, 0, text) ? std::optional(std::move(text)) : std::nullopt;
}

void add_said(json& record, const std::string& key) {
    const json& texts = record.at(key);
    json said;
    if (texts.is_string()) said = sentence_or_null(texts);
    else
        for (const json& text : texts) said.push_back(sentence_or_null(text));
    const bool has_none = std::all_of(said.begin(), said.end(), [](const json& each) { return each.is_null(); });
    if (!has_none) record[key + "_said"] = std::move(said);
}

std::string own_words(const json& record, const std::string& key, std::string text) {
    const auto said = record.find(key + "_said");
    return said == record.end() ? text : worded(*said, english).value_or(text);
}

std::vector<std::string> own_words(const json& record, const std::string& key, std::vector<std::string> texts) {
    const auto said = record.find(key + "_said");
    if (said == record.end() || !said->is_array() || said->size() != texts.size()) return texts;
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = worded((*said)[i], english).value_or(texts[i]);
    return texts;
}

}  // namespace kernelgen

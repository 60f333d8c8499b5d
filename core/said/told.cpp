// SPDX-License-Identifier: Apache-2.0
#include "core/said/told.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/said/parts.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

/// The English format of a sentence; nothing where it has none that this program knows.
std::optional<std::string_view> format_of(const json& sentence) {
    const auto format = sentence.find("format"), id = sentence.find("id");
    const bool by_format = format != sentence.end() && format->is_string();
    const bool by_id = !by_format && id != sentence.end() && id->is_string();
    std::optional<std::size_t> place;
    if (by_format) place = place_of_format(format->get_ref<const std::string&>());
    if (by_id) place = place_of_sentence(id->get_ref<const std::string&>());
    return place ? std::optional(english_formats()[*place]) : std::nullopt;
}

std::optional<Said> made_of(const json& form, int depth);

std::optional<Said> sentence_of(const json& form, int depth) {
    const std::optional<std::string_view> format = format_of(form);
    const auto given = form.find("arguments");
    if (!format || given == form.end() || !given->is_array() || given->size() != count_of_places(*format))
        return std::nullopt;
    std::vector<Said> arguments;
    for (const json& each : *given) {
        std::optional<Said> argument = made_of(each, depth + 1);
        if (!argument) return std::nullopt;
        arguments.push_back(std::move(*argument));
    }
    return Said::sentence(*format, std::move(arguments));
}

std::optional<Said> list_of(const json& form, int depth) {
    Said all;
    for (const json& each : form) {
        const std::optional<Said> part = each.is_array() ? std::nullopt : made_of(each, depth);
        if (!part) return std::nullopt;
        all += *part;
    }
    return all;
}

std::optional<Said> made_of(const json& form, int depth) {
    if (form.is_string()) return Said(form.get<std::string>());
    if (depth > deepest_said) return std::nullopt;
    if (form.is_object()) return sentence_of(form, depth);
    return form.is_array() ? list_of(form, depth) : std::nullopt;
}

Said made_or(const json& form, std::string text) {
    std::optional<Said> made = made_of(form, 0);
    return made && made->text() == text ? std::move(*made) : Said(std::move(text));
}

}  // namespace

Said told(const json& object, const std::string& key, std::string text) {
    const auto form = object.find(key + said_ending);
    return form == object.end() ? Said(std::move(text)) : made_or(*form, std::move(text));
}

Said told(const json& object, const std::string& key) { return told(object, key, object.at(key).get<std::string>()); }

std::vector<Said> all_told(const json& object, const std::string& key) {
    const auto texts = object.at(key).get<std::vector<std::string>>();
    const auto forms = object.find(key + said_ending);
    std::vector<Said> all(texts.begin(), texts.end());
    if (forms == object.end() || !forms->is_array() || forms->size() != all.size()) return all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = made_or((*forms)[i], texts[i]);
    return all;
}

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/said.h"

namespace kernelgen {

class JsonPlace;

/// What a text of the engine says, as a record holds it: `{"id": "timed_out", "arguments": ["5.00 s"]}` for a sentence
/// of sentences.def or said_in_place.def, where each argument is such a value again; a list for several that follow
/// each other ("64x64 f32: ", then a sentence); and a string for what is no sentence (a compiler's message, a name,
/// text in backquotes) or longer than 2,000 bytes. The id is that of the format by which `say` made the sentence.
nlohmann::json said_by(const Said& said);

/// The English formats of all sentences, in the order of sentences.def and then said_in_place.def.
std::span<const std::string_view> english_formats();
/// Their ids.
std::span<const std::string_view> ids_of_sentences();

/// The place of a sentence among the formats; nothing for an id that this program does not know.
std::optional<std::size_t> place_of_sentence(std::string_view id);
/// The same for a format, in which only the places may ask for another form: "{} of {}" for "{} of {:.1f}".
std::optional<std::size_t> place_of_format(std::string_view format);

/// The text of `said` with these formats, which are in the order of `english_formats`. A format that leaves arguments
/// out has their numbers: "{0} of {2}". Nothing where `said` is not of the form above, has an id that this program does
/// not know, or another number of arguments.
std::optional<std::string> worded(const nlohmann::json& said, std::span<const std::string_view> formats);

/// The `Said` of a value of the form above, in today's English; nothing where `worded` gives nothing.
std::optional<Said> said_from(const nlohmann::json& said);

/// Writes the text, or the list of texts, at `key`, and beside it what they say at `KEY_said`. `KEY_said` is left out
/// if no text is a known sentence. In a list, an unknown text has null.
void put_said(nlohmann::json& record, const std::string& key, const Said& said);
void put_said(nlohmann::json& record, const std::string& key, const std::vector<Said>& all);

/// The text that a record has at `key`, or `text` in its place, as this program words it today: by `KEY_said`. The text
/// alone where there is none that can be read. Throws where `key` is missing or no text.
Said own_words(const nlohmann::json& record, const std::string& key);
Said own_words(const nlohmann::json& record, const std::string& key, std::string text);
/// The same of a list of texts.
std::vector<Said> all_own_words(const nlohmann::json& record, const std::string& key);

/// The same for `JsonObject` (core/base/json_reader.h).
void read(const JsonPlace& place, Said& said);
void read(const JsonPlace& place, std::vector<Said>& all);

}  // namespace kernelgen

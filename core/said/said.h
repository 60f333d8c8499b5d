// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// What a text of the engine says, as a record holds it: `{"id": "timed_out", "arguments": ["5.00 s"]}` for a sentence
/// of sentences.def or said_in_place.def, where each argument is such a value again; a list for several that follow
/// each other ("64x64 f32: ", then a sentence); and a string for what is no sentence (a compiler's message, a name,
/// text in backquotes) or longer than 2,000 bytes.
nlohmann::json said_by(std::string_view text);

/// The English formats of all sentences, in the order of sentences.def and then said_in_place.def.
std::span<const std::string_view> english_formats();

/// The place of a sentence among the formats; nothing for an id that this program does not know.
std::optional<std::size_t> place_of_sentence(std::string_view id);

/// The text of `said` with these formats, which are in the order of `english_formats`. A format that leaves arguments
/// out has their numbers: "{0} of {2}". Nothing where `said` is not of the form above, has an id that this program does
/// not know, or another number of arguments.
std::optional<std::string> worded(const nlohmann::json& said, std::span<const std::string_view> formats);

/// Adds the key `KEY_said` beside the text at `key`, or the list of texts: what they say. It is not added if no text is
/// a known sentence. In a list, an unknown text has null.
void add_said(nlohmann::json& record, const std::string& key);

/// `text`, which a record has at `key`, as this program words it today: by `KEY_said`. Unchanged where there is none
/// that can be read.
std::string own_words(const nlohmann::json& record, const std::string& key, std::string text);
std::vector<std::string> own_words(const nlohmann::json& record, const std::string& key,
                                   std::vector<std::string> texts);

}  // namespace kernelgen

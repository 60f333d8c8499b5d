// SPDX-License-Identifier: Apache-2.0
#include "core/said/recognise.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/said/parts.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

using Texts = std::vector<std::string_view>;

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
        std::ranges::transform(english_formats(), std::back_inserter(all), pieces_of);
        return all;
    }();
    return pieces;
}

/// The texts between the pieces of a format in a sentence; nothing where the sentence was not made by this format.
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
    if (depth == deepest_said) return text;
    const std::vector<Texts>& all = all_pieces();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto held = held_by(text, all[i]);
        if (!held) continue;
        json arguments = json::array();
        for (std::size_t k = 0; k < held->size(); ++k) {
            const bool is_code = all[i][k].ends_with('`') && all[i][k + 1].starts_with('`');
            arguments.push_back(is_code ? json((*held)[k]) : said_within((*held)[k], depth + 1));
        }
        json sentence = {{"id", ids_of_sentences()[i]}, {"arguments", std::move(arguments)}};
        return all[i].front().empty() ? with_case_before(std::move(sentence)) : sentence;
    }
    return said_after_place(text, depth);
}

}  // namespace

json recognised(std::string_view text) { return text.size() > longest_said ? json(text) : said_within(text, 0); }

}  // namespace kernelgen

// SPDX-License-Identifier: Apache-2.0
#include "core/report/sentences.h"

#include <optional>
#include <vector>

#include "core/base/checklist_sentences.h"
#include "core/base/sentences.h"

namespace kernelgen {

namespace {

struct Rendering {
    std::string_view english, chinese;
};

constexpr Rendering renderings[] = {
#define SENTENCE(name, chinese) {sentences::name, chinese},
#include "core/report/sentences.def"
#undef SENTENCE
#define SAID(english, chinese) {english, chinese},
#include "core/report/said_in_place.def"
#undef SAID
};

/// Longer ones hold the words of another program.
constexpr std::size_t longest_sentence = 2000;

/// The text before, between and after the places of a format.
std::vector<std::string_view> pieces_of(std::string_view format) {
    std::vector<std::string_view> pieces;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{')) {
        pieces.push_back(format.substr(0, open));
        format.remove_prefix(format.find('}', open) + 1);
    }
    pieces.push_back(format);
    return pieces;
}

/// What stands at the places of `format` in a sentence that it made.
std::optional<std::vector<std::string_view>> held_by(std::string_view sentence, std::string_view format) {
    const std::vector<std::string_view> pieces = pieces_of(format);
    if (!sentence.starts_with(pieces.front())) return std::nullopt;
    sentence.remove_prefix(pieces.front().size());
    if (pieces.size() == 1) return sentence.empty() ? std::optional(std::vector<std::string_view>()) : std::nullopt;
    if (!sentence.ends_with(pieces.back())) return std::nullopt;
    sentence.remove_suffix(pieces.back().size());
    std::vector<std::string_view> held;
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
        const std::size_t end = sentence.find(pieces[i]);
        if (end == std::string_view::npos) return std::nullopt;
        held.push_back(sentence.substr(0, end));
        sentence.remove_prefix(end + pieces[i].size());
    }
    held.push_back(sentence);
    return held;
}

std::string in_chinese(std::string_view sentence) {
    for (const Rendering& each : renderings) {
        const auto held = held_by(sentence, each.english);
        if (!held) continue;
        const std::vector<std::string_view> pieces = pieces_of(each.chinese);
        std::string text(pieces.front());
        for (std::size_t i = 0; i < held->size(); ++i) {
            const bool is_code = pieces[i].ends_with('`') && pieces[i + 1].starts_with('`');
            text.append(is_code ? std::string((*held)[i]) : in_chinese((*held)[i])).append(pieces[i + 1]);
        }
        return text;
    }
    // "4096x4096 f32: " or "copying to the device: " before a sentence; one word is a name
    const std::size_t colon = sentence.find(": ");
    if (colon == std::string_view::npos) return std::string(sentence);
    const std::string_view before = sentence.substr(0, colon);
    const std::string place = before.contains(' ') ? in_chinese(before) : std::string(before);
    return place + ": " + in_chinese(sentence.substr(colon + 2));
}

}  // namespace

std::string in_tongue(std::string_view sentence, Tongue tongue) {
    const bool stays = tongue == Tongue::english || sentence.size() > longest_sentence;
    return stays ? std::string(sentence) : in_chinese(sentence);
}

}  // namespace kernelgen

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/palette/fuzzy_match.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace kernelgen::studio {

namespace {

constexpr int no_match = std::numeric_limits<int>::min() / 2;
constexpr int in_sequence = 8, at_word = 6, after_gap = -2;

bool beginsWord(const QString& text, qsizetype place) {
    return place == 0 || (!text[place - 1].isLetterOrNumber() && text[place].isLetterOrNumber());
}

/// The best score of a prefix of the word whose last letter is at a place of the text, and where the letter before is.
struct Ending {
    int score = no_match;
    int before = -1;
};

/// The endings of a word's next letter, by those of the letter before.
std::vector<Ending> nextEndings(const QString& text, QChar letter, const std::vector<Ending>* before) {
    std::vector<Ending> endings(static_cast<std::size_t>(text.size()));
    Ending best;  // of the letter before, anywhere but next to this one
    for (std::size_t at = 0; at < endings.size(); ++at) {
        if (before != nullptr && at >= 2 && (*before)[at - 2].score > best.score)
            best = {(*before)[at - 2].score, static_cast<int>(at) - 2};
        if (text[static_cast<qsizetype>(at)].toCaseFolded() != letter) continue;
        const int own = 1 + (beginsWord(text, static_cast<qsizetype>(at)) ? at_word : 0);
        Ending chosen{before == nullptr ? 0 : best.score + after_gap, best.before};
        if (before != nullptr && at >= 1 && (*before)[at - 1].score + in_sequence > chosen.score)
            chosen = {(*before)[at - 1].score + in_sequence, static_cast<int>(at) - 1};
        if (chosen.score > no_match / 2) endings[at] = {chosen.score + own, chosen.before};
    }
    return endings;
}

std::optional<FuzzyMatch> matchWord(const QString& word, const QString& text) {
    std::vector<std::vector<Ending>> endings;
    for (const QChar letter : word.toCaseFolded()) {
        endings.push_back(nextEndings(text, letter, endings.empty() ? nullptr : &endings.back()));
    }
    const auto best = std::ranges::max_element(endings.back(), {}, &Ending::score);
    if (best == endings.back().end() || best->score <= no_match / 2) return std::nullopt;
    FuzzyMatch match{best->score};
    int at = static_cast<int>(best - endings.back().begin());
    for (std::size_t i = endings.size(); i-- > 0; at = endings[i].at(static_cast<std::size_t>(at)).before) {
        match.places.prepend(at);
    }
    return match;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text) {
    FuzzyMatch all;
    for (const QString& word : typed.split(' ', Qt::SkipEmptyParts)) {
        const std::optional<FuzzyMatch> match = matchWord(word, text);
        if (!match) return std::nullopt;
        all.score += match->score;
        all.places += match->places;
    }
    std::ranges::sort(all.places);
    all.places.erase(std::unique(all.places.begin(), all.places.end()), all.places.end());
    return all;
}

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <optional>

namespace kernelgen::studio {

/// How what was typed is found in a text.
struct FuzzyMatch {
    int score = 0;        ///< higher is better
    QList<int> places{};  ///< of the text's letters that match, ascending
};

/// Finds each word of `typed`: its letters in their order, whatever their case, with others between them. Letters that
/// follow one another or begin a word count more. Nothing where a word is not found; nothing typed matches anything.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text);

}  // namespace kernelgen::studio

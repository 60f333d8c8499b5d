// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QTextCursor>
#include <QTextDocument>

namespace kernelgen::studio {

/// What is looked for, line by line: a match never spans two lines, and is never empty.
struct Search {
    QString text;
    bool match_case = false;
    bool whole_word = false;
    bool regular_expression = false;

    /// The expression for a search; empty for an empty text. Invalid where the text is not a valid regular expression;
    /// `errorString` then says why. The steps for a match are limited, so that no expression can block the window.
    QRegularExpression expression() const;
};

struct MatchCount {
    int count = 0;
    int current = 0;       ///< the number of the match that the cursor has selected, from 1; 0 where it has none
    bool complete = true;  ///< false where counting took too long: there are more
};
MatchCount countMatches(const QTextDocument& document, const QRegularExpression& expression, const QTextCursor& cursor);

/// The next match from the cursor's selection on, or the one before it, around the end; a null cursor without any.
QTextCursor findMatch(const QTextCursor& from, const QRegularExpression& expression, bool forward);

/// Replaces the cursor's selection by `with` where the selection is a match; returns whether it was one. With `groups`,
/// `\1` … `\9` stand for captured groups.
bool replaceMatch(QTextCursor cursor, const QRegularExpression& expression, const QString& with, bool groups);

/// Replaces every match, as one undoable edit; how many.
int replaceAll(QTextDocument& document, const QRegularExpression& expression, const QString& with, bool groups);

}  // namespace kernelgen::studio

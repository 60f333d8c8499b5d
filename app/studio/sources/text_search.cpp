// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/text_search.h"

#include <QElapsedTimer>
#include <QStringList>
#include <QTextBlock>
#include <vector>

namespace kernelgen::studio {

namespace {

constexpr int count_milliseconds = 25;

/// The matches in a line that are not empty.
std::vector<QRegularExpressionMatch> matchesIn(const QString& line, const QRegularExpression& expression) {
    std::vector<QRegularExpressionMatch> result;
    for (const QRegularExpressionMatch& match : expression.globalMatch(line)) {
        if (match.capturedLength() > 0) result.push_back(match);
    }
    return result;
}

QTextCursor cursorOf(const QTextBlock& block, const QRegularExpressionMatch& match) {
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + static_cast<int>(match.capturedStart()));
    cursor.setPosition(block.position() + static_cast<int>(match.capturedEnd()), QTextCursor::KeepAnchor);
    return cursor;
}

QString expanded(const QString& with, const QRegularExpressionMatch& match, bool groups) {
    if (!groups) return with;
    QString result;
    for (qsizetype i = 0; i < with.size(); ++i) {
        const bool group = with[i] == '\\' && i + 1 < with.size() && with[i + 1].isDigit();
        if (group) result += match.captured(with[++i].digitValue());
        else result += with[i];
    }
    return result;
}

/// A line with its matches replaced.
QString replacedLine(const QString& line, const std::vector<QRegularExpressionMatch>& matches, const QString& with,
                     bool groups) {
    QString result;
    qsizetype end = 0;
    for (const QRegularExpressionMatch& match : matches) {
        result += line.mid(end, match.capturedStart() - end) + expanded(with, match, groups);
        end = match.capturedEnd();
    }
    return result + line.mid(end);
}

/// The first match of a block at or behind `position`, or the last that ends before or at it; null without.
QTextCursor matchInBlock(const QTextBlock& block, const QRegularExpression& expression, int position, bool forward) {
    QTextCursor found;
    for (const QRegularExpressionMatch& match : matchesIn(block.text(), expression)) {
        const auto start = block.position() + match.capturedStart(), end = block.position() + match.capturedEnd();
        if (forward && start >= position) return cursorOf(block, match);
        if (!forward && end <= position) found = cursorOf(block, match);
    }
    return found;
}

}  // namespace

QRegularExpression Search::expression() const {
    if (text.isEmpty()) return {};
    QString pattern = regular_expression ? text : QRegularExpression::escape(text);
    if (whole_word) pattern = "\\b(?:" + pattern + ")\\b";
    const auto options = match_case ? QRegularExpression::NoPatternOption : QRegularExpression::CaseInsensitiveOption;
    const QRegularExpression plain(pattern, options);
    return plain.isValid() ? QRegularExpression("(*LIMIT_MATCH=20000)" + pattern, options) : plain;
}

MatchCount countMatches(const QTextDocument& document, const QRegularExpression& expression,
                        const QTextCursor& cursor) {
    MatchCount result;
    if (expression.pattern().isEmpty() || !expression.isValid()) return result;
    QElapsedTimer timer;
    timer.start();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (const QRegularExpressionMatch& match : matchesIn(block.text(), expression)) {
            ++result.count;
            const auto start = block.position() + match.capturedStart(), end = block.position() + match.capturedEnd();
            if (start == cursor.selectionStart() && end == cursor.selectionEnd()) result.current = result.count;
        }
        result.complete = timer.elapsed() < count_milliseconds;
        if (!result.complete) break;
    }
    return result;
}

QTextCursor findMatch(const QTextCursor& from, const QRegularExpression& expression, bool forward) {
    if (expression.pattern().isEmpty() || !expression.isValid()) return {};
    const QTextDocument& document = *from.document();
    int position = forward ? from.selectionEnd() : from.selectionStart();
    QTextBlock block = document.findBlock(position);
    // Every block once, and the one that it begins in a second time for what is on the other side of the cursor.
    for (int left = document.blockCount(); left >= 0; --left) {
        const QTextCursor found = matchInBlock(block, expression, position, forward);
        if (!found.isNull()) return found;
        block = forward ? block.next() : block.previous();
        if (!block.isValid()) {
            block = forward ? document.begin() : document.lastBlock();
            position = forward ? 0 : document.characterCount();
        }
    }
    return {};
}

bool replaceMatch(QTextCursor cursor, const QRegularExpression& expression, const QString& with, bool groups) {
    if (!cursor.hasSelection() || expression.pattern().isEmpty()) return false;
    const QTextBlock block = cursor.document()->findBlock(cursor.selectionStart());
    for (const QRegularExpressionMatch& match : matchesIn(block.text(), expression)) {
        const QTextCursor place = cursorOf(block, match);
        if (place.selectionStart() != cursor.selectionStart() || place.selectionEnd() != cursor.selectionEnd())
            continue;
        cursor.insertText(expanded(with, match, groups));
        return true;
    }
    return false;
}

/// From the first line with a match to the last as one insertion: as fast for many as for one.
int replaceAll(QTextDocument& document, const QRegularExpression& expression, const QString& with, bool groups) {
    if (expression.pattern().isEmpty() || !expression.isValid()) return 0;
    int count = 0;
    QTextBlock first, last;
    QStringList lines, since_last;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const auto matches = matchesIn(block.text(), expression);
        if (matches.empty() && !first.isValid()) continue;
        since_last.push_back(replacedLine(block.text(), matches, with, groups));
        if (matches.empty()) continue;
        if (!first.isValid()) first = block;
        last = block;
        lines += std::exchange(since_last, {});
        count += static_cast<int>(matches.size());
    }
    if (count == 0) return 0;
    QTextCursor cursor(first);
    cursor.setPosition(last.position() + last.length() - 1, QTextCursor::KeepAnchor);
    cursor.insertText(lines.join('\n'));
    return count;
}

}  // namespace kernelgen::studio

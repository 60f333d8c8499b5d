// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/indentation.h"

#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>
#include <functional>

namespace kernelgen::studio {

namespace {

constexpr int step = 4;

int leadingSpaces(const QString& line) {
    const auto first = std::ranges::find_if(line, [](QChar each) { return each != ' '; });
    return static_cast<int>(first - line.begin());
}

/// Calls `change` for every line that the selection touches, but not for one before which it only ends.
void forSelectedLines(QTextCursor& cursor, const std::function<void(QTextCursor line, const QString& text)>& change) {
    const QTextDocument& document = *cursor.document();
    const QTextBlock first = document.findBlock(cursor.selectionStart());
    QTextBlock last = document.findBlock(cursor.selectionEnd());
    if (last != first && last.position() == cursor.selectionEnd()) last = last.previous();
    cursor.beginEditBlock();
    for (int number = first.blockNumber(); number <= last.blockNumber(); ++number) {
        const QTextBlock block = document.findBlockByNumber(number);
        change(QTextCursor(block), block.text());
    }
    cursor.endEditBlock();
}

}  // namespace

void indent(QTextCursor cursor) {
    const QTextDocument& document = *cursor.document();
    const bool lines = document.findBlock(cursor.selectionStart()) != document.findBlock(cursor.selectionEnd());
    if (!lines) return cursor.insertText(QString(step - cursor.positionInBlock() % step, ' '));
    forSelectedLines(cursor, [](QTextCursor line, const QString& text) {
        if (!text.trimmed().isEmpty()) line.insertText(QString(step, ' '));
    });
}

void outdent(QTextCursor cursor) {
    forSelectedLines(cursor, [](QTextCursor line, const QString& text) {
        line.setPosition(line.position() + std::min(step, leadingSpaces(text)), QTextCursor::KeepAnchor);
        line.removeSelectedText();
    });
}

void breakLine(QTextCursor cursor) {
    cursor.beginEditBlock();
    cursor.removeSelectedText();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    const QString written = before.trimmed();
    const bool deeper = written.endsWith('{') || written.endsWith('(') || written.endsWith('[');
    cursor.insertBlock();
    cursor.insertText(QString(leadingSpaces(before) + (deeper ? step : 0), ' '));
    cursor.endEditBlock();
}

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
// What is marked in a source: the current line, what is searched for, and where the compiler said something.
#include <QTextBlock>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/sources/source_editor.h"
#include "app/studio/theme/link_colours.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

int gravity(const QString& severity) { return severity == "error" ? 2 : severity == "warning" ? 1 : 0; }

bool isWord(QChar each) { return each.isLetterOrNumber() || each == '_'; }

/// The word at a message's place; its line where it names no column; nothing where it names no line.
QTextCursor placeOf(const CompilerMessage& message, QTextDocument& document) {
    const int line = std::clamp(message.line, 1, document.blockCount());
    const QTextBlock block = document.findBlockByNumber(line - 1);
    const QString text = block.text();
    qsizetype begin = 0, end = 0;
    if (message.line > 0 && message.column > 0) {
        begin = std::min<qsizetype>(message.column - 1, text.size());
        end = begin;
        while (end < text.size() && isWord(text[end])) ++end;
        end = std::min(std::max(end, begin + 1), text.size());
    } else if (message.line > 0) {
        begin = std::ranges::find_if(text, [](QChar each) { return !each.isSpace(); }) - text.begin();
        end = text.size();
    }
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + static_cast<int>(begin));
    cursor.setPosition(block.position() + static_cast<int>(end), QTextCursor::KeepAnchor);
    return cursor;
}

int blockOf(const SourceMessage& message) {
    return message.place.document()->findBlock(message.place.selectionStart()).blockNumber();
}

}  // namespace

QColor colourOfMessage(const SourceMessage& message, const QPalette& palette) {
    const Colours colours = coloursOf(palette);
    const int grave = gravity(message.severity);
    return grave == 2 ? colours.bad : grave == 1 ? colours.warning : colours.accent;
}

void SourceEditor::setMessages(const std::vector<CompilerMessage>& messages) {
    messages_.clear();
    for (const CompilerMessage& each : messages) {
        messages_.push_back({placeOf(each, *document()), toQt(each.severity), toQt(each.text)});
    }
    mark();
    viewport()->update();
    update();
}

const SourceMessage* SourceEditor::messageAt(int block) const {
    const SourceMessage* gravest = nullptr;
    for (const SourceMessage& each : messages_) {
        if (blockOf(each) != block) continue;
        if (gravest == nullptr || gravity(each.severity) > gravity(gravest->severity)) gravest = &each;
    }
    return gravest;
}

QString SourceEditor::messagesAt(int block) const {
    QStringList lines;
    for (const SourceMessage& each : messages_) {
        if (blockOf(each) == block) lines.push_back(each.severity + ": " + each.text);
    }
    return lines.join('\n');
}

void SourceEditor::forVisibleBlocks(const std::function<void(const QTextBlock& block, int top)>& visit) const {
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top <= viewport()->height()) {
        visit(block, static_cast<int>(top));
        top += blockBoundingRect(block).height();
        block = block.next();
    }
}

QTextBlock SourceEditor::blockAt(int y) const { return cursorForPosition({0, y}).block(); }

void SourceEditor::mark() {
    if (source_ != nullptr) setExtraSelections(marks());
}

QTextEdit::ExtraSelection SourceEditor::currentLine() const {
    QTextEdit::ExtraSelection line;
    line.cursor = textCursor();
    line.cursor.clearSelection();
    line.format.setBackground(current_line_colour_);
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    return line;
}

/// Marks matches in visible lines only, so that marking costs the same however long the source is.
void SourceEditor::addMatches(QList<QTextEdit::ExtraSelection>& marks) const {
    forVisibleBlocks([&](const QTextBlock& block, int) {
        for (const QRegularExpressionMatch& match : marked_.globalMatch(block.text())) {
            if (match.capturedLength() == 0) continue;
            QTextEdit::ExtraSelection found;
            found.cursor = QTextCursor(block);
            found.cursor.setPosition(block.position() + static_cast<int>(match.capturedStart()));
            found.cursor.setPosition(block.position() + static_cast<int>(match.capturedEnd()), QTextCursor::KeepAnchor);
            found.format.setBackground(match_colour_);
            found.format.setForeground(palette().text());
            marks.push_back(found);
        }
    });
}

void SourceEditor::setLinked(std::map<int, int> colours) {
    if (colours == linked_) return;
    linked_ = std::move(colours);
    mark();
}

void SourceEditor::markLinked(int line) {
    if (line == linked_line_) return;
    linked_line_ = line;
    mark();
}

/// Colours visible lines only, as `addMatches` marks.
void SourceEditor::addLinked(QList<QTextEdit::ExtraSelection>& marks) const {
    if (linked_.empty()) return;
    forVisibleBlocks([&](const QTextBlock& block, int) {
        const int number = block.blockNumber() + 1;
        const auto colour = linked_.find(number);
        if (colour == linked_.end()) return;
        QTextEdit::ExtraSelection line;
        line.cursor = QTextCursor(block);
        line.format.setBackground(linkColour(colour->second, number == linked_line_, palette()));
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks.push_back(line);
    });
}

QList<QTextEdit::ExtraSelection> SourceEditor::marks() const {
    QList<QTextEdit::ExtraSelection> marks;
    addLinked(marks);
    if (!isReadOnly() && !linked_.contains(textCursor().blockNumber() + 1)) marks.push_back(currentLine());
    if (!marked_.pattern().isEmpty()) addMatches(marks);
    for (const SourceMessage& each : messages_) {
        QTextEdit::ExtraSelection wave;
        wave.cursor = each.place;
        wave.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wave.format.setUnderlineColor(colourOfMessage(each, palette()));
        marks.push_back(wave);
    }
    return marks;
}

}  // namespace kernelgen::studio

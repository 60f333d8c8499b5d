// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/source_editor.h"

#include <KSyntaxHighlighting/Theme>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

#include "app/studio/application/text.h"
#include "app/studio/sources/highlighter.h"
#include "app/studio/sources/indentation.h"
#include "app/studio/sources/side_bar.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

SourceEditor::SourceEditor(SourceFile& source, QUndoStack& history, QWidget* parent)
    : QPlainTextEdit(parent),
      source_(&source),
      history_(history),
      highlighter_(new Highlighter(source.document(), toQt(source.name()), this)),
      side_bar_(new SideBar(*this)) {
    setDocument(&source.document());
    setLineWrapMode(NoWrap);
    setFrameShape(NoFrame);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(' '));
    setAccessibleName(tr("Source %1").arg(toQt(source.name())));
    watchText();
    connect(highlighter_, &Highlighter::coloursChanged, this, &SourceEditor::takeColours);
    highlighter_->applyPalette(palette());
    placeSideBar();
}

/// The highlighter takes its colours back as it goes, which the text tells of: this must still be there.
SourceEditor::~SourceEditor() { delete highlighter_; }

void SourceEditor::watchText() {
    connect(document(), &QTextDocument::contentsChange, this, [this](int position, int removed, int added) {
        if (removed == 0 && added == 0) return;
        if (editing_) apart_ = false;
        const bool all = position == 0 && added >= document()->characterCount() - 1;
        changed_at_ = editing_ || all ? -1 : position + added;
    });
    connect(&history_, &QUndoStack::indexChanged, this, &SourceEditor::followHistory);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &SourceEditor::placeSideBar);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &SourceEditor::mark);
    connect(this, &QPlainTextEdit::textChanged, this, &SourceEditor::mark);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int scrolled) {
        if (scrolled != 0) mark();
        if (scrolled != 0) side_bar_->scroll(0, scrolled);
        else side_bar_->update(0, area.y(), side_bar_->width(), area.height());
    });
}

void SourceEditor::followHistory() {
    if (editing_) return;
    apart_ = true;
    const int place = std::exchange(changed_at_, -1);
    if (place < 0) return;
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::min(place, document()->characterCount() - 1));
    setTextCursor(cursor);
    ensureCursorVisible();
    emit changedByHistory();
}

/// The text joins an insertion to the one before it; in a block of its own it stands apart.
void SourceEditor::editApart(const std::function<void()>& edit) {
    const bool nested = std::exchange(editing_, true);
    QTextCursor block = textCursor();
    const bool apart = apart_ && !nested;
    if (apart) block.beginEditBlock();
    edit();
    if (apart) block.endEditBlock();
    editing_ = nested;
}

void SourceEditor::goTo(int line, int column) {
    if (line <= 0) return ensureCursorVisible();
    const QTextBlock block = document()->findBlockByNumber(std::min(line, blockCount()) - 1);
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column - 1, 0, block.length() - 1));
    setTextCursor(cursor);
    centerCursor();
}

void SourceEditor::showLine(int line) {
    const QTextBlock block = document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1);
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    const bool is_in_sight = place.top() >= 0 && place.bottom() <= viewport()->height();
    if (is_in_sight) return;
    const int rows = viewport()->height() / std::max(1, fontMetrics().lineSpacing());
    verticalScrollBar()->setValue(block.blockNumber() - rows / 3);
}

void SourceEditor::setMarked(const QRegularExpression& expression) {
    marked_ = expression;
    mark();
}

void SourceEditor::takeColours() {
    const KSyntaxHighlighting::Theme theme = highlighter_->theme();
    current_line_colour_ = QColor::fromRgba(theme.editorColor(KSyntaxHighlighting::Theme::CurrentLine));
    match_colour_ = QColor::fromRgba(theme.editorColor(KSyntaxHighlighting::Theme::SearchHighlight));
    mark();
}

void SourceEditor::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (source_ == nullptr) return;
    if (event->type() == QEvent::PaletteChange) highlighter_->applyPalette(palette());
    if (event->type() == QEvent::FontChange) placeSideBar();
}

void SourceEditor::placeSideBar() {
    const int width = side_bar_->sizeHint().width();
    setViewportMargins(width, 0, 0, 0);
    side_bar_->setGeometry(contentsRect().x(), contentsRect().y(), width, contentsRect().height());
}

void SourceEditor::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeSideBar();
    mark();
}

void SourceEditor::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) return QPlainTextEdit::wheelEvent(event);
    pointed_at_ = static_cast<int>(event->position().y());
    if (event->angleDelta().y() != 0) emit zoomAsked(event->angleDelta().y() > 0 ? 1 : -1);
    pointed_at_.reset();
    event->accept();
}

void SourceEditor::zoomAround(int steps) {
    const QRect area = viewport()->rect(), cursor = cursorRect();
    const int y = pointed_at_.value_or(area.contains(cursor.topLeft()) ? cursor.top() : area.center().y());
    const int line = blockAt(y).blockNumber();
    zoomIn(steps);
    if (line < 0) return;
    const double height = blockBoundingRect(firstVisibleBlock()).height();
    verticalScrollBar()->setValue(line - static_cast<int>(y / std::max(1.0, height)));
}

void SourceEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        event->ignore();  // what it is in may take it, too
        return emit escaped();
    }
    if (event->matches(QKeySequence::Undo)) return history_.undo();
    if (event->matches(QKeySequence::Redo)) return history_.redo();
    editApart([&] {
        if (!handleKey(*event)) QPlainTextEdit::keyPressEvent(event);
    });
    ensureCursorVisible();
}

/// Keys that a programmer's editor treats in its own way; whether this was one.
bool SourceEditor::handleKey(const QKeyEvent& event) {
    if (isReadOnly() || (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier))) return false;
    switch (event.key()) {
        case Qt::Key_Tab: indent(textCursor()); return true;
        case Qt::Key_Backtab: outdent(textCursor()); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: breakLine(textCursor()); return true;
        default: return false;
    }
}

void SourceEditor::inputMethodEvent(QInputMethodEvent* event) {
    editApart([&] { QPlainTextEdit::inputMethodEvent(event); });
}

void SourceEditor::insertFromMimeData(const QMimeData* source) {
    editApart([&] { QPlainTextEdit::insertFromMimeData(source); });
}

void SourceEditor::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    const auto add = [&](const QString& text, const QKeySequence& keys, bool enabled, std::function<void()> act) {
        QAction* action = menu.addAction(text, this, std::move(act));
        action->setShortcut(keys);
        action->setEnabled(enabled);
    };
    const bool selected = textCursor().hasSelection();
    add(tr("&Undo"), QKeySequence::Undo, history_.canUndo(), [this] { history_.undo(); });
    add(tr("&Redo"), QKeySequence("Ctrl+Shift+Z"), history_.canRedo(), [this] { history_.redo(); });
    menu.addSeparator();
    add(tr("Cu&t"), QKeySequence::Cut, selected && !isReadOnly(), [this] { editApart([this] { cut(); }); });
    add(tr("&Copy"), QKeySequence::Copy, selected, [this] { copy(); });
    add(tr("&Paste"), QKeySequence::Paste, canPaste(), [this] { paste(); });
    menu.addSeparator();
    add(tr("Select &all"), QKeySequence::SelectAll, true, [this] { selectAll(); });
    menu.exec(event->globalPos());
}

bool SourceEditor::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = messagesAt(cursorForPosition(help->pos()).blockNumber());
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

}  // namespace kernelgen::studio

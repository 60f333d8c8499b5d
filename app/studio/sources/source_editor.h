// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QUndoStack>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "app/studio/document/source_file.h"
#include "core/backend/compiler_message.h"

namespace kernelgen::studio {

class Highlighter;
class SideBar;

/// A compiler's message at its place, which moves with the text.
struct SourceMessage {
    QTextCursor place;
    QString severity, text;
};
QColor colourOfMessage(const SourceMessage& message, const QPalette& palette);

/// One source as a programmer edits it. Undo and redo are the project's.
class SourceEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    SourceEditor(SourceFile& source, QUndoStack& history, QWidget* parent = nullptr);
    ~SourceEditor() override;

    /// Null when another project has been opened: then the editor may only be deleted.
    SourceFile* source() const { return source_; }

    /// Larger text, or smaller, with the line under the mouse or else the cursor's at its place.
    void zoomAround(int steps);
    /// Puts the cursor there and shows it; line and column from 1, 0 leaves the cursor where it is.
    void goTo(int line, int column);
    /// Sets all messages of this file.
    void setMessages(const std::vector<CompilerMessage>& messages);
    /// The first of the most severe messages of a line (from 0); null where there is none.
    const SourceMessage* messageAt(int block) const;
    /// All messages of a line of source, one a line; "" without any.
    QString messagesAt(int block) const;
    /// Marks what matches; an empty expression marks nothing.
    void setMarked(const QRegularExpression& expression);
    /// Gives lines (from 1) the colours of their code; the one that is marked stands out. Empty: none.
    void setLinked(std::map<int, int> colours);
    void markLinked(int line);
    /// Scrolls to a line where it is not in sight; the cursor stays.
    void showLine(int line);
    /// Makes an edit that is not merged into an earlier one where something else was edited in between.
    void editApart(const std::function<void()>& edit);

    void forVisibleBlocks(const std::function<void(const QTextBlock& block, int top)>& visit) const;
    QTextBlock blockAt(int y) const;

signals:
    void escaped();             ///< Esc was pressed
    void zoomAsked(int steps);  ///< by Ctrl and the wheel
    void changedByHistory();    ///< undo or redo changed the text

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void followHistory();
    void placeSideBar();
    void mark();
    void watchText();
    void takeColours();
    bool handleKey(const QKeyEvent& event);
    QList<QTextEdit::ExtraSelection> marks() const;
    QTextEdit::ExtraSelection currentLine() const;
    void addMatches(QList<QTextEdit::ExtraSelection>& marks) const;
    void addLinked(QList<QTextEdit::ExtraSelection>& marks) const;

    QPointer<SourceFile> source_;
    QUndoStack& history_;
    Highlighter* highlighter_;
    SideBar* side_bar_;
    std::vector<SourceMessage> messages_;
    QRegularExpression marked_;
    std::map<int, int> linked_;
    int linked_line_ = 0;
    QColor current_line_colour_ = Qt::transparent, match_colour_ = Qt::transparent;
    bool apart_ = true;              ///< something else has been edited since this text was
    bool editing_ = false;           ///< by the keys and menus of this editor
    std::optional<int> pointed_at_;  ///< the mouse's y while its wheel turns
    int changed_at_ = -1;            ///< where something other than this editor changed the text
};

}  // namespace kernelgen::studio

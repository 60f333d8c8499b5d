// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

FindBar::FindBar(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(findLine());
    layout->addWidget(replaceLine());
    for (QToolButton* each : {match_case_, whole_word_, regular_expression_}) {
        connect(each, &QToolButton::toggled, this, &FindBar::look);
    }
    connect(text_, &QLineEdit::textChanged, this, &FindBar::look);
    connect(previous_, &QToolButton::clicked, this, &FindBar::findPrevious);
    connect(next_, &QToolButton::clicked, this, &FindBar::findNext);
    connect(close_, &QToolButton::clicked, this, &FindBar::close);
    connect(replace_, &QPushButton::clicked, this, &FindBar::replaceOne);
    connect(replace_all_, &QPushButton::clicked, this, &FindBar::replaceEvery);
    counting_.setSingleShot(true);
    counting_.setInterval(100);
    connect(&counting_, &QTimer::timeout, this, &FindBar::showCount);
    applyIcons();
    hide();
}

QWidget* FindBar::findLine() {
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    text_ = new QLineEdit;
    text_->setObjectName("find_text");
    text_->setPlaceholderText(tr("Find"));
    text_->setAccessibleName(tr("Find"));
    text_->setClearButtonEnabled(true);
    match_case_ = option("Aa", "match_case", tr("Match case"));
    whole_word_ = option("W", "whole_word", tr("Whole word"));
    regular_expression_ = option(".*", "regular_expression", tr("Regular expression"));
    count_ = new QLabel;
    count_->setObjectName("match_count");
    count_->setMinimumWidth(fontMetrics().horizontalAdvance("No matches in sight"));
    previous_ = tool("previous", tr("Previous match (Shift+F3)"));
    previous_->setArrowType(Qt::UpArrow);
    next_ = tool("next", tr("Next match (F3)"));
    next_->setArrowType(Qt::DownArrow);
    close_ = tool("close_find", tr("Close (Esc)"));
    layout->addWidget(text_, 1);
    for (QToolButton* each : {match_case_, whole_word_, regular_expression_}) layout->addWidget(each);
    layout->addWidget(previous_);
    layout->addWidget(next_);
    layout->addWidget(count_);
    layout->addWidget(close_);
    return line;
}

QWidget* FindBar::replaceLine() {
    replace_line_ = new QWidget;
    auto* layout = new QHBoxLayout(replace_line_);
    layout->setContentsMargins(0, 0, 0, 0);
    with_ = new QLineEdit;
    with_->setObjectName("replace_text");
    with_->setPlaceholderText(tr("Replace with"));
    with_->setAccessibleName(tr("Replace with"));
    with_->setToolTip(tr("With regular expressions \\1 … \\9 stand for what groups matched"));
    replace_ = new QPushButton(tr("Replace"));
    replace_->setObjectName("replace_one");
    replace_->setToolTip(tr("Replace this match and go to the next (Return)"));
    replace_all_ = new QPushButton(tr("Replace all"));
    replace_all_->setObjectName("replace_all");
    replace_all_->setToolTip(tr("Replace every match of this source; one undo takes it back"));
    layout->addWidget(with_, 1);
    layout->addWidget(replace_);
    layout->addWidget(replace_all_);
    return replace_line_;
}

QToolButton* FindBar::tool(const QString& name, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

QToolButton* FindBar::option(const QString& text, const QString& name, const QString& tip) {
    QToolButton* button = tool(name, tip);
    button->setText(text);
    button->setCheckable(true);
    return button;
}

Search FindBar::search() const {
    return {text_->text(), match_case_->isChecked(), whole_word_->isChecked(), regular_expression_->isChecked()};
}

void FindBar::setEditor(SourceEditor* editor) {
    if (editor == editor_) return;
    if (editor_) {
        editor_->disconnect(this);
        if (editor_->source() != nullptr) editor_->setMarked({});
    }
    editor_ = editor;
    if (!editor_) return close();
    begin_ = editor_->textCursor();
    connect(editor_, &QPlainTextEdit::textChanged, this, [this] { counting_.start(); });
    connect(editor_, &QPlainTextEdit::selectionChanged, this, [this] { counting_.start(); });
    connect(editor_, &SourceEditor::escaped, this, &FindBar::close);
    if (isVisible()) takeSearch();
}

void FindBar::openFor(bool replacing) {
    if (!editor_) return;
    const QString selected = editor_->textCursor().selectedText();
    if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator)) text_->setText(selected);
    replace_line_->setVisible(replacing && !editor_->isReadOnly());
    show();
    begin_ = editor_->textCursor();
    look();
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
}

void FindBar::close() {
    const bool focused = isAncestorOf(focusWidget()) || hasFocus();
    hide();
    if (!editor_ || editor_->source() == nullptr) return;
    editor_->setMarked({});
    if (focused) editor_->setFocus(Qt::OtherFocusReason);
}

void FindBar::takeSearch() {
    if (!editor_) return;
    const QRegularExpression expression = search().expression();
    editor_->setMarked(expression.isValid() ? expression : QRegularExpression());
    showCount();
}

/// Marks the matches and goes to the first from where looking began; without any, back to there.
void FindBar::look() {
    takeSearch();
    if (!editor_ || !isVisible()) return;
    QTextCursor before = begin_;
    before.setPosition(begin_.selectionStart());
    const QTextCursor found = findMatch(before, search().expression(), true);
    goTo(found.isNull() ? begin_ : found);
}

void FindBar::goTo(const QTextCursor& place) {
    const bool far = !editor_->viewport()->rect().contains(editor_->cursorRect(place));
    editor_->setTextCursor(place);
    if (far) editor_->centerCursor();
    showCount();
}

void FindBar::showCount() {
    if (!editor_ || !isVisible()) return;
    const QRegularExpression expression = search().expression();
    const MatchCount matches = countMatches(*editor_->document(), expression, editor_->textCursor());
    const QString count = matches.complete ? QString::number(matches.count) : tr("%1 or more").arg(matches.count);
    const bool wrong = !expression.isValid() || (matches.count == 0 && matches.complete && !text_->text().isEmpty());
    if (text_->text().isEmpty()) count_->clear();
    else if (!expression.isValid()) count_->setText(tr("Not an expression"));
    else if (matches.count == 0 && matches.complete) count_->setText(tr("No matches"));
    else if (matches.current > 0) count_->setText(tr("%1 of %2").arg(matches.current).arg(count));
    else count_->setText(matches.count == 1 ? tr("1 match") : tr("%1 matches").arg(count));
    count_->setToolTip(expression.isValid() ? QString() : expression.errorString());
    QPalette colours;
    if (wrong) colours.setColor(QPalette::WindowText, coloursOf(palette()).bad);
    count_->setPalette(colours);
    for (QWidget* each : std::initializer_list<QWidget*>{previous_, next_, replace_, replace_all_}) {
        each->setEnabled(!wrong && !text_->text().isEmpty());
    }
}

void FindBar::findNext() { step(true); }

void FindBar::findPrevious() { step(false); }

void FindBar::step(bool forward) {
    if (!editor_) return;
    const QTextCursor found = findMatch(editor_->textCursor(), search().expression(), forward);
    if (found.isNull()) return;
    begin_ = found;
    goTo(found);
}

void FindBar::replaceOne() {
    if (!editor_ || editor_->isReadOnly()) return;
    const QTextCursor cursor = editor_->textCursor();
    const Search search = this->search();
    editor_->editApart([&] { replaceMatch(cursor, search.expression(), with_->text(), search.regular_expression); });
    findNext();
}

void FindBar::replaceEvery() {
    if (!editor_ || editor_->isReadOnly()) return;
    const int line = editor_->textCursor().blockNumber() + 1;
    const Search search = this->search();
    int count = 0;
    editor_->editApart([&] {
        count = replaceAll(*editor_->document(), search.expression(), with_->text(), search.regular_expression);
    });
    editor_->goTo(line, 1);
    counting_.stop();
    count_->setText(count == 1 ? tr("Replaced 1") : tr("Replaced %1").arg(count));
}

void FindBar::applyIcons() { close_->setIcon(icon("close", palette())); }

void FindBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    applyIcons();
    showCount();
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return close();
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return QWidget::keyPressEvent(event);
    if (with_->hasFocus()) return replaceOne();
    step(!(event->modifiers() & Qt::ShiftModifier));
}

}  // namespace kernelgen::studio

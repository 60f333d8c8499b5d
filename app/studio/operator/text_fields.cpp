// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/text_fields.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QWheelEvent>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"
#include "core/base/text.h"

namespace kernelgen::studio {

namespace {

/// A choice that the wheel changes only while it has the focus, so that scrolling the form changes nothing.
class CalmComboBox : public QComboBox {
public:
    CalmComboBox() {
        setFocusPolicy(Qt::StrongFocus);
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        setMinimumContentsLength(6);
    }

protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus()) QComboBox::wheelEvent(event);
        else event->ignore();
    }
};

/// Makes the document's text `text`, changing only what differs, so that cursors elsewhere stay.
void replaceDifference(QPlainTextEdit& edit, const QString& text) {
    const QString before = edit.toPlainText();
    qsizetype begin = 0;
    const qsizetype shorter = std::min(before.size(), text.size());
    while (begin < shorter && before[begin] == text[begin]) ++begin;
    qsizetype end = 0;
    while (end < shorter - begin && before[before.size() - 1 - end] == text[text.size() - 1 - end]) ++end;
    QTextCursor cursor(edit.document());
    cursor.setPosition(static_cast<int>(begin));
    cursor.setPosition(static_cast<int>(before.size() - end), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(begin, text.size() - end - begin));
}

/// The word (or character) at the "1:17" that a path ends with; columns count bytes.
QTextCursor cursorAt(QTextDocument& document, const std::string& where) {
    const std::vector<std::string> parts = split(where, ':');
    QTextCursor cursor(&document);
    long long line = 0;
    long long column = 0;
    if (parts.size() < 3 || !parse_integer(parts[parts.size() - 2], line) || !parse_integer(parts.back(), column)) {
        return cursor;
    }
    const QTextBlock block = document.findBlockByNumber(static_cast<int>(line) - 1);
    if (!block.isValid()) return cursor;
    const QByteArray before = block.text().toUtf8().left(column - 1);
    cursor.setPosition(block.position() + static_cast<int>(QString::fromUtf8(before).size()));
    QTextCursor word = cursor;
    word.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
    if (!word.hasSelection()) word.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor);
    if (!word.hasSelection()) word.movePosition(QTextCursor::PreviousCharacter, QTextCursor::KeepAnchor);
    return word;
}

}  // namespace

TextField::TextField(ProjectDocument& document, TextBinding binding, QWidget* parent)
    : FormField({binding.path}, parent), document_(document), binding_(std::move(binding)) {}

QString TextField::current() const { return binding_.read(document_.project()); }

void TextField::commit(const QString& text) {
    QString problem;
    const QString key = toQt(binding_.path) + QString::number(stretch_);
    committing_ = true;
    document_.edit(binding_.name, [&](Project& project) { problem = binding_.write(project, text); }, key);
    committing_ = false;
    setEntryProblem(problem);
}

LineField::LineField(ProjectDocument& document, TextBinding binding, QWidget* parent)
    : TextField(document, std::move(binding), parent), edit_(new QLineEdit) {
    edit_->setAccessibleName(this->binding().name);
    edit_->setToolTip(this->binding().tip);
    setEditor(edit_);
    edit_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(edit_, &QWidget::customContextMenuRequested, this, &LineField::showMenu);
    connect(edit_, &QLineEdit::textEdited, this, &LineField::commit);
    connect(edit_, &QLineEdit::editingFinished, this, &LineField::endTyping);
    refresh();
}

/// The usual menu, but undo and redo: those of the line know nothing of the document's history.
void LineField::showMenu(QPoint place) {
    QMenu* menu = edit_->createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QAction* action : menu->actions()) {
        const QString name = action->objectName();
        if (name == "edit-undo" || name == "edit-redo") menu->removeAction(action);
    }
    menu->popup(edit_->mapToGlobal(place));
}

void LineField::refresh() {
    if (isOwnEdit()) return;
    const QString text = current();
    if (edit_->text() != text) {
        const int cursor = edit_->cursorPosition();
        edit_->setText(text);
        edit_->setCursorPosition(edit_->hasFocus() ? cursor : 0);
    }
    setEntryProblem({});
}

ChoiceField::ChoiceField(ProjectDocument& document, TextBinding binding, Choices choices, QWidget* parent)
    : TextField(document, std::move(binding), parent), choices_(std::move(choices)), box_(new CalmComboBox) {
    box_->setAccessibleName(this->binding().name);
    box_->setToolTip(this->binding().tip);
    setEditor(box_);
    connect(box_, &QComboBox::activated, this, [this] {
        commit(box_->currentData().toString());
        endTyping();
    });
    refresh();
}

void ChoiceField::refresh() {
    std::vector<Choice> choices = choices_(document_.project());
    const QString text = current();
    if (std::ranges::find(choices, text, &Choice::text) == choices.end()) choices.push_back({text, text});
    QStringList shown;
    for (const Choice& each : choices) shown << each.shown;
    QStringList before;
    for (int i = 0; i < box_->count(); ++i) before << box_->itemText(i);
    if (shown != before) {
        box_->clear();
        for (const Choice& each : choices) box_->addItem(each.shown, each.text);
    }
    box_->setCurrentIndex(box_->findData(text));
}

LinesField::LinesField(ProjectDocument& document, TextBinding binding, Kind kind, QWidget* parent)
    : TextField(document, std::move(binding), parent), edit_(new QPlainTextEdit) {
    edit_->setAccessibleName(this->binding().name);
    edit_->setToolTip(this->binding().tip);
    edit_->setTabChangesFocus(true);
    edit_->setUndoRedoEnabled(false);  // the document's history is the only one
    if (kind == Kind::code) edit_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    const int lines = kind == Kind::code ? 5 : 2;
    edit_->setFixedHeight(edit_->fontMetrics().lineSpacing() * lines + 12);
    setEditor(edit_);
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        if (edit_->toPlainText() != current()) commit(edit_->toPlainText());
    });
    refresh();
}

void LinesField::refresh() {
    if (isOwnEdit()) return;
    const QString text = current();
    if (edit_->toPlainText() != text) replaceDifference(*edit_, text);
}

void LinesField::setDiagnostics(const Diagnostics& own) {
    FormField::setDiagnostics(own);
    QList<QTextEdit::ExtraSelection> marks;
    for (const Diagnostic& each : own) {
        QTextEdit::ExtraSelection& mark = marks.emplace_back();
        mark.cursor = cursorAt(*edit_->document(), each.where);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(coloursOf(palette()).bad);
        mark.format.setToolTip(inWords(each.message));
    }
    edit_->setExtraSelections(marks);
}

void LinesField::goTo(const std::string& where) {
    QTextCursor cursor = cursorAt(*edit_->document(), where);
    cursor.setPosition(cursor.selectionStart());
    edit_->setTextCursor(cursor);
    edit_->setFocus();
}

}  // namespace kernelgen::studio

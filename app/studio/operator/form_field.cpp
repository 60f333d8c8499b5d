// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/form_field.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int edge = 2;
constexpr std::size_t most_messages = 3;

QString messageOf(const Diagnostic& diagnostic) {
    const QString message = toQt(diagnostic.message);
    return diagnostic.suggestion.empty() ? message : message + "; " + toQt(diagnostic.suggestion);
}

/// Whether `where` is `path` or a place within it.
bool isWithin(const std::string& where, const std::string& path) {
    if (!where.starts_with(path)) return false;
    return where.size() == path.size() || std::string_view(".[:").contains(where[path.size()]);
}

}  // namespace

FormField::FormField(std::vector<std::string> paths, QWidget* parent)
    : QWidget(parent), paths_(std::move(paths)), column_(new QVBoxLayout(this)), messages_(new QLabel) {
    column_->setContentsMargins(edge, edge, edge, edge);
    column_->setSpacing(3);
    messages_->setWordWrap(true);
    messages_->setTextFormat(Qt::PlainText);
    messages_->hide();
    column_->addWidget(messages_);
}

void FormField::setEditor(QWidget* editor) {
    editor_ = editor;
    column_->insertWidget(0, editor);
    setFocusProxy(editor);
}

bool FormField::owns(const std::string& where) const {
    return std::ranges::any_of(paths_, [&](const std::string& path) { return isWithin(where, path); });
}

bool FormField::hasProblem() const { return !diagnostics_.empty() || !entry_problem_.isEmpty(); }

void FormField::setDiagnostics(const Diagnostics& own) {
    if (own == diagnostics_) return;
    diagnostics_ = own;
    showMessages();
}

void FormField::setEntryProblem(const QString& problem) {
    if (problem == entry_problem_) return;
    entry_problem_ = problem;
    showMessages();
}

void FormField::goTo(const std::string&) { editor_->setFocus(); }

void FormField::showMessages() {
    QStringList lines;
    if (!entry_problem_.isEmpty()) lines << entry_problem_;
    for (const Diagnostic& each : diagnostics_) {
        if (lines.size() < static_cast<qsizetype>(most_messages)) lines << messageOf(each);
    }
    if (diagnostics_.size() > most_messages)
        lines << tr("and %n more", nullptr, int(diagnostics_.size() - most_messages));
    QPalette shown = palette();
    shown.setColor(QPalette::WindowText, coloursOf(palette()).bad);
    messages_->setPalette(shown);
    messages_->setText(lines.join('\n'));
    messages_->setVisible(!lines.isEmpty());
    editor_->setAccessibleDescription(lines.join('\n'));
    update();
    emit problemChanged();
}

void FormField::paintEvent(QPaintEvent*) {
    if (!hasProblem()) return;
    QPainter painter(this);
    painter.setPen(QPen(coloursOf(palette()).bad, edge));
    painter.drawRect(editor_->geometry().adjusted(-1, -1, 1, 1));
}

void FormField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && editor_ != nullptr && hasProblem()) showMessages();
}

}  // namespace kernelgen::studio

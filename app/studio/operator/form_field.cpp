// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/form_field.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int edge = 2;

/// Whether `where` is `path` or a place within it.
bool isWithin(const std::string& where, const std::string& path) {
    if (!where.starts_with(path)) return false;
    return where.size() == path.size() || std::string_view(".[:").contains(where[path.size()]);
}

}  // namespace

FormField::FormField(std::vector<std::string> paths, QWidget* parent) : QWidget(parent), paths_(std::move(paths)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(edge, edge, edge, edge);
}

void FormField::setEditor(QWidget* editor) {
    editor_ = editor;
    layout()->addWidget(editor);
    setFocusProxy(editor);
}

bool FormField::owns(const std::string& where) const {
    return std::ranges::any_of(paths_, [&](const std::string& path) { return isWithin(where, path); });
}

QStringList FormField::messages() const {
    QStringList messages;
    if (!entry_problem_.isEmpty()) messages << entry_problem_;
    for (const Diagnostic& each : diagnostics_) messages << inWords(each);
    return messages;
}

void FormField::setDiagnostics(const Diagnostics& own) {
    if (own == diagnostics_) return;
    diagnostics_ = own;
    tellMessages();
}

void FormField::setEntryProblem(const QString& problem) {
    if (problem == entry_problem_) return;
    entry_problem_ = problem;
    tellMessages();
}

void FormField::goTo(const std::string&) { editor_->setFocus(); }

void FormField::tellMessages() {
    editor_->setAccessibleDescription(messages().join('\n'));
    update();
    emit problemChanged();
}

void FormField::paintEvent(QPaintEvent*) {
    if (!hasProblem()) return;
    QPainter painter(this);
    painter.setPen(QPen(coloursOf(palette()).bad, edge));
    painter.drawRect(editor_->geometry().adjusted(-1, -1, 1, 1));
}

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/allowed_spin_box.h"

#include <QLineEdit>
#include <QRegularExpression>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace kernelgen::studio {

int nearestIndex(const std::vector<std::int64_t>& values, double number) {
    const auto distance = [number](std::int64_t value) { return std::abs(static_cast<double>(value) - number); };
    return static_cast<int>(std::ranges::min_element(values, {}, distance) - values.begin());
}

AllowedSpinBox::AllowedSpinBox(std::vector<std::int64_t> values, QWidget* parent)
    : QSpinBox(parent), values_(std::move(values)) {
    setRange(0, static_cast<int>(values_.size()) - 1);
    setFocusPolicy(Qt::StrongFocus);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    connect(lineEdit(), &QLineEdit::textEdited, this, [this](const QString& text) { typed_ = text; });
    connect(this, &QSpinBox::editingFinished, this, [this] {
        const QString typed = std::exchange(typed_, {});
        emit corrected(isAllowed(typed) ? QString() : typed);
        lineEdit()->setText(lineEdit()->text());  // forgets what was typed: undo is then about the document
    });
}

QString AllowedSpinBox::textFromValue(int index) const { return QString::number(values_[static_cast<size_t>(index)]); }

int AllowedSpinBox::valueFromText(const QString& text) const { return nearestIndex(values_, text.toDouble()); }

bool AllowedSpinBox::isAllowed(const QString& text) const {
    bool is_number = false;
    const qint64 number = text.toLongLong(&is_number);
    return is_number && std::ranges::binary_search(values_, number);
}

QValidator::State AllowedSpinBox::validate(QString& text, int&) const {
    static const QRegularExpression number("^-?[0-9]{0,18}$");
    if (isAllowed(text)) return QValidator::Acceptable;
    return number.match(text).hasMatch() ? QValidator::Intermediate : QValidator::Invalid;
}

void AllowedSpinBox::fixup(QString& text) const {
    bool is_number = false;
    text.toLongLong(&is_number);
    text = textFromValue(is_number ? valueFromText(text) : value());
}

/// The wheel scrolls the panel; it changes only what has been chosen before.
void AllowedSpinBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus()) QSpinBox::wheelEvent(event);
    else event->ignore();
}

}  // namespace kernelgen::studio

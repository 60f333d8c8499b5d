// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/selectable.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>

#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

/// A label's selection as the clipboard has it: a label separates lines and words in its own way.
QString selectionOf(const QLabel& label) {
    return label.selectedText()
        .replace(QChar::ParagraphSeparator, '\n')
        .replace(QChar::LineSeparator, '\n')
        .replace(QChar::Nbsp, ' ');
}

}  // namespace

void makeSelectable(QLabel& label, Qt::TextInteractionFlags how) {
    label.setTextInteractionFlags(how);
    QClipboard* clipboard = QGuiApplication::clipboard();
    QObject::connect(clipboard, &QClipboard::changed, &label, [clipboard, &label](QClipboard::Mode mode) {
        const QString copied = label.hasSelectedText() ? clipboard->text(mode) : QString();
        if (copied.contains(place_to_break) && copied == selectionOf(label))
            clipboard->setText(QString(copied).remove(place_to_break), mode);
    });
}

}  // namespace kernelgen::studio

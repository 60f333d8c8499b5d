// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/about_dialog.h"

#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QVBoxLayout>

#include "core/base/version.h"

namespace kernelgen::studio {

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About KernelGen Studio"));
    auto* picture = new QLabel;
    picture->setPixmap(QGuiApplication::windowIcon().pixmap(64, 64));
    auto* text = new QLabel(
        QStringLiteral("<h2>KernelGen Studio %1</h2><p>%2</p><p>%3</p><p>%4</p>")
            .arg(QString::fromUtf8(version),
                 tr("From an operator's definition to a kernel that is verified, timed honestly, and documented."),
                 tr("The window is licensed under the GPL, version 3 or later; the engine and the command line under "
                    "the "
                    "Apache License 2.0."),
                 tr("Built with Qt %1, QCustomPlot (GPL-3.0) and KSyntaxHighlighting (MIT).")
                     .arg(QString::fromUtf8(qVersion()))));
    text->setWordWrap(true);
    text->setMinimumWidth(380);
    auto* row = new QHBoxLayout;
    row->setSpacing(18);
    row->addWidget(picture, 0, Qt::AlignTop);
    row->addWidget(text, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(row);
    layout->addWidget(buttons);
}

}  // namespace kernelgen::studio

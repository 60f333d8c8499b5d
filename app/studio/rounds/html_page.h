// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>
#include <QStringList>

namespace kernelgen::studio {

/// Writes a page for a QTextBrowser in the palette's colours, in any thread. All texts are plain: markup in them is
/// shown, and their line breaks are kept.
class HtmlPage {
public:
    explicit HtmlPage(const QPalette& palette);

    void title(const QString& text, const QColor& colour);
    void heading(const QString& text);
    void paragraph(const QString& text);
    void muted(const QString& text);
    void bullet(const QString& text);
    /// A name and its value; nothing where the value is empty.
    void field(const QString& name, const QString& value);
    /// The first `names` columns are left-aligned, the others are numbers. Nothing without rows.
    void table(const QStringList& header, const QList<QStringList>& rows, int names = 1);
    void verbatim(const QString& text);
    /// A unified diff, each line in its colour; of a very long one the beginning.
    void difference(const QString& diff);

    QString take();  ///< the page, which is then empty

private:
    void endFields();
    QPalette palette_;
    QString html_;
    bool in_fields_ = false;
};

}  // namespace kernelgen::studio

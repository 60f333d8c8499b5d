// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/log_document.h"

#include <QFontDatabase>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

void frameTables(QTextDocument& document, const QPalette& palette) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(palette.color(QPalette::Mid));
        format.setCellPadding(4);
        format.setCellSpacing(0);
        format.setWidth(QTextLength());
        table->setFormat(format);
    }
}

QColor colourOfLine(const QString& line, const QPalette& palette) {
    const Colours colours = coloursOf(palette);
    if (line.startsWith("@@")) return colours.accent;
    if (line.startsWith('+')) return colours.good;
    return line.startsWith('-') ? colours.bad : palette.color(QPalette::Text);
}

void colourDifferences(QTextDocument& document, const QPalette& palette) {
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().stringProperty(QTextFormat::BlockCodeLanguage) != "diff") continue;
        cursor.setPosition(block.position());
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        QTextCharFormat format;
        format.setForeground(colourOfLine(block.text(), palette));
        cursor.mergeCharFormat(format);
    }
}

}  // namespace

std::unique_ptr<QTextDocument> logDocument(const QString& markdown, const QPalette& palette, const QFont& font) {
    auto document = std::make_unique<QTextDocument>();
    document->setUndoRedoEnabled(false);
    document->setDefaultFont(font);
    document->setMarkdown(markdown, QTextDocument::MarkdownDialectGitHub);
    frameTables(*document, palette);
    colourDifferences(*document, palette);
    return document;
}

}  // namespace kernelgen::studio

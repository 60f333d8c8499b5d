// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/log_document.h"

#include <QFontDatabase>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextOption>
#include <QTextTable>

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

void frameTable(QTextTable& table, const QBrush& line) {
    QTextTableFormat format = table.format();
    format.setBorder(1);
    format.setBorderCollapse(true);
    format.setCellPadding(4);
    format.setCellSpacing(0);
    table.setFormat(format);
    for (int row = 0; row < table.rows(); ++row) {
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(row, column);
            QTextTableCellFormat of_cell = cell.format().toTableCellFormat();
            of_cell.setBorder(1);
            of_cell.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            of_cell.setBorderBrush(line);
            cell.setFormat(of_cell);
        }
    }
}

void frameTables(QTextDocument& document, const QPalette& palette) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table != nullptr) frameTable(*table, palette.color(QPalette::Mid));
    }
}

/// A table may be wider than the page: words are not broken for it.
void keepWords(QTextDocument& document) {
    QTextOption option = document.defaultTextOption();
    option.setWrapMode(QTextOption::WordWrap);
    document.setDefaultTextOption(option);
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
    keepWords(*document);
    frameTables(*document, palette);
    colourDifferences(*document, palette);
    return document;
}

}  // namespace kernelgen::studio

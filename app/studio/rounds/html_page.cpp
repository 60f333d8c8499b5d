// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/html_page.h"

#include <QCoreApplication>

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr qsizetype most_lines = 400;

QString escaped(const QString& text) { return text.toHtmlEscaped().replace('\n', "<br>"); }

QString paragraphOf(const QString& html, const QColor& colour) {
    return QString("<p style='margin: 3px 0; color: %1'>%2</p>").arg(colour.name(), html);
}

/// A block of monospaced lines, given as HTML.
QString blockOf(const QString& lines) { return "<pre style='margin: 3px 0'>" + lines + "</pre>"; }

}  // namespace

HtmlPage::HtmlPage(const QPalette& palette) : palette_(palette) {}

void HtmlPage::title(const QString& text, const QColor& colour) {
    endFields();
    html_ += QString("<p style='margin: 0 0 4px 0; font-size: large; font-weight: bold; color: %1'>%2</p>")
                 .arg(colour.name(), escaped(text));
}

void HtmlPage::heading(const QString& text) {
    endFields();
    html_ += QString("<p style='margin: 10px 0 3px 0; font-weight: bold'>%1</p>").arg(escaped(text));
}

void HtmlPage::paragraph(const QString& text) {
    endFields();
    html_ += paragraphOf(escaped(text), palette_.color(QPalette::Text));
}

void HtmlPage::muted(const QString& text) {
    endFields();
    html_ += paragraphOf(escaped(text), coloursOf(palette_).muted);
}

void HtmlPage::bullet(const QString& text) { paragraph("• " + text); }

void HtmlPage::field(const QString& name, const QString& value) {
    if (value.isEmpty()) return;
    if (!in_fields_) html_ += "<table cellspacing='0' cellpadding='1'>";
    in_fields_ = true;
    html_ += QString("<tr><td style='color: %1; padding-right: 12px; white-space: nowrap'>%2</td><td>%3</td></tr>")
                 .arg(coloursOf(palette_).muted.name(), escaped(name), escaped(value));
}

void HtmlPage::endFields() {
    if (std::exchange(in_fields_, false)) html_ += "</table>";
}

void HtmlPage::table(const QStringList& header, const QList<QStringList>& rows, int names) {
    endFields();
    if (rows.isEmpty()) return;
    const QString style = QString("border: 1px solid %1").arg(palette_.color(QPalette::Mid).name());
    const auto row = [&](const QStringList& cells, const QString& element) {
        html_ += "<tr>";
        for (qsizetype i = 0; i < cells.size(); ++i) {
            const bool is_number = i >= names && element == "td";  // which breaks nowhere
            html_ += QString("<%1 align='%2' style='%3'>%4</%1>")
                         .arg(element, i < names ? "left" : "right",
                              is_number ? style + "; white-space: nowrap" : style, escaped(cells[i]));
        }
        html_ += "</tr>";
    };
    html_ += "<table border='1' cellspacing='0' cellpadding='3' style='margin: 3px 0; border-collapse: collapse'>";
    row(header, "th");
    for (const QStringList& each : rows) row(each, "td");
    html_ += "</table>";
}

void HtmlPage::verbatim(const QString& text) {
    endFields();
    html_ += blockOf(text.toHtmlEscaped());
}

void HtmlPage::difference(const QString& diff) {
    endFields();
    const Colours colours = coloursOf(palette_);
    const QStringList lines = diff.split('\n', Qt::SkipEmptyParts);
    QString block;
    for (const QString& line : lines.first(std::min(lines.size(), most_lines))) {
        const QColor colour = line.startsWith('+')    ? colours.good
                              : line.startsWith('-')  ? colours.bad
                              : line.startsWith("@@") ? colours.accent
                                                      : palette_.color(QPalette::Text);
        block += QString("<span style='color: %1'>%2</span>\n").arg(colour.name(), line.toHtmlEscaped());
    }
    html_ += blockOf(block);
    if (lines.size() > most_lines) {
        muted(QCoreApplication::translate("HtmlPage", "Further lines: %1").arg(lines.size() - most_lines));
    }
}

QString HtmlPage::take() {
    endFields();
    return std::exchange(html_, {});
}

}  // namespace kernelgen::studio

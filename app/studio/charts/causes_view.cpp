// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/causes_view.h"

#include <QEvent>
#include <QScrollBar>
#include <QUrl>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QString paragraph(const QString& html, const QColor& colour, int above = 2) {
    return QStringLiteral("<p style='margin: %1px 0 0 0; color: %2'>%3</p>").arg(above).arg(colour.name(), html);
}

/// A link "cause:CAUSE:PLACE".
QString link(std::size_t cause, std::size_t place, const SourceLine& target, const QColor& colour) {
    return QStringLiteral("<a href='cause:%1:%2' style='color: %3'>%4:%5</a> <code>%6</code>")
        .arg(cause)
        .arg(place)
        .arg(colour.name(), toQt(target.file).toHtmlEscaped())
        .arg(target.line)
        .arg(toQt(target.text).toHtmlEscaped());
}

}  // namespace

CausesView::CausesView(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Likely causes"));
    connect(this, &QTextBrowser::anchorClicked, this, &CausesView::follow);
}

void CausesView::present(const Explanation& explanation) {
    explanation_ = explanation;
    is_shown_ = true;
    refresh();
}

void CausesView::clearCauses() {
    is_shown_ = false;
    clear();
}

void CausesView::refresh() {
    if (!is_shown_) return;
    const Colours colours = coloursOf(palette());
    const QColor text = palette().color(QPalette::Text);
    QString html;
    for (std::size_t i = 0; i < explanation_.causes.size(); ++i) {
        const Cause& cause = explanation_.causes[i];
        const QString title = QStringLiteral("<b>%1. %2</b> <span style='color: %3'>%4 %</span>")
                                  .arg(i + 1)
                                  .arg(inWords(cause.text).toHtmlEscaped(), colours.muted.name())
                                  .arg(qRound(100 * cause.confidence));
        html += paragraph(title, text, i == 0 ? 0 : 10);
        for (const Said& each : cause.evidence) html += paragraph(inWords(each).toHtmlEscaped(), colours.muted);
        for (std::size_t place = 0; place < cause.places.size(); ++place)
            html += paragraph(link(i, place, cause.places[place], colours.accent), text);
        html += paragraph(tr("What to do: %1").arg(inWords(cause.advice)).toHtmlEscaped(), text);
    }
    if (!explanation_.smallest.empty())
        html += paragraph(tr("Smallest failing: %1").arg(toQt(explanation_.smallest)).toHtmlEscaped(), text, 10);
    if (explanation_.sizes_tried > 0)
        html += paragraph(tr("%1 of %2 other sizes fail").arg(explanation_.sizes_failed).arg(explanation_.sizes_tried),
                          text);
    for (const Said& each : explanation_.remarks) html += paragraph(inWords(each).toHtmlEscaped(), colours.muted);
    setHtml(html);
    verticalScrollBar()->setValue(0);
}

void CausesView::follow(const QUrl& link) {
    const QStringList parts = link.toString().split(':');
    if (parts.size() != 3) return;
    const auto cause = parts[1].toUInt(), place = parts[2].toUInt();
    if (cause >= explanation_.causes.size() || place >= explanation_.causes[cause].places.size()) return;
    const SourceLine& target = explanation_.causes[cause].places[place];
    emit goToSource(toQt(target.file), target.line, 1);
}

void CausesView::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace kernelgen::studio

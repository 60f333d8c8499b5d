// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/run_log_panel.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QTextBlock>

#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int most_lines = 20000;
constexpr int entries_at_a_time = 100;

QColor colourOf(Severity severity, const QPalette& palette) {
    const Colours colours = coloursOf(palette);
    switch (severity) {
        case Severity::success: return colours.good;
        case Severity::warning: return colours.warning;
        case Severity::error: return colours.bad;
        default: return palette.color(QPalette::Text);
    }
}

}  // namespace

RunLogPanel::RunLogPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      text_(new QPlainTextEdit),
      least_(new QComboBox),
      copy_(new QToolButton),
      clear_(new QToolButton) {
    text_->setReadOnly(true);
    text_->setUndoRedoEnabled(false);
    text_->setMaximumBlockCount(most_lines);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setAccessibleName(tr("Run log"));
    text_->setPlaceholderText(tr("What runs and builds report is listed here"));
    makeBar();
    soon_.setSingleShot(true);
    soon_.setInterval(0);
    connect(&soon_, &QTimer::timeout, this, &RunLogPanel::append);
    connect(&session.log(), &RunLog::added, &soon_, qOverload<>(&QTimer::start));
    applyPalette();
}

void RunLogPanel::makeBar() {
    least_->addItem(tr("Everything"), static_cast<int>(Severity::information));
    least_->addItem(tr("Warnings and errors"), static_cast<int>(Severity::warning));
    least_->addItem(tr("Errors"), static_cast<int>(Severity::error));
    least_->setAccessibleName(tr("What the log shows"));
    const auto prepare = [](QToolButton* button, const QString& name, const QString& tip) {
        button->setText(name);
        button->setAccessibleName(name);
        button->setToolTip(tip);
        button->setAutoRaise(true);
    };
    prepare(copy_, tr("Copy log"), tr("Copy all lines that are shown"));
    prepare(clear_, tr("Clear log"), tr("Show only what comes from now on"));
    auto* bar = new QHBoxLayout;
    bar->addWidget(least_);
    bar->addStretch(1);
    bar->addWidget(copy_);
    bar->addWidget(clear_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(bar);
    layout->addWidget(text_, 1);
    connect(least_, &QComboBox::currentIndexChanged, this, &RunLogPanel::restart);
    connect(clear_, &QToolButton::clicked, this, &RunLogPanel::clear);
    connect(copy_, &QToolButton::clicked, this, [this] {
        const QTextCursor place = text_->textCursor();
        text_->selectAll();
        text_->copy();
        text_->setTextCursor(place);
    });
}

void RunLogPanel::clear() {
    const RunLog& log = session_.log();
    shown_from_ = log.dropped() + log.entries().size();
    restart();
}

void RunLogPanel::restart() {
    text_->clear();
    next_ = shown_from_;
    soon_.start();
}

/// Writes the next entries, and leaves the rest for later.
void RunLogPanel::append() {
    const RunLog& log = session_.log();
    const std::size_t end = log.dropped() + log.entries().size();
    next_ = std::max(next_, log.dropped());
    QScrollBar* bar = text_->verticalScrollBar();
    const bool follows = bar->value() >= bar->maximum() - 1;
    QTextCursor cursor(text_->document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    for (int written = 0; next_ < end && written < entries_at_a_time; ++next_, ++written) {
        const LogEntry& entry = log.entries()[next_ - log.dropped()];
        if (static_cast<int>(entry.severity) >= least_->currentData().toInt()) write(cursor, entry);
    }
    cursor.endEditBlock();
    if (follows) bar->setValue(bar->maximum());
    if (next_ < end) soon_.start();
}

void RunLogPanel::write(QTextCursor& cursor, const LogEntry& entry) const {
    QTextCharFormat plain;
    plain.setForeground(coloursOf(palette()).muted);
    if (!text_->document()->isEmpty()) cursor.insertBlock();
    cursor.insertText(entry.time.toString("HH:mm:ss") + "  ", plain);
    QTextCharFormat format;
    format.setForeground(colourOf(entry.severity, palette()));
    if (entry.output) format.setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    cursor.insertText(entry.text.trimmed(), format);
}

void RunLogPanel::applyPalette() {
    copy_->setIcon(icon("copy", palette()));
    clear_->setIcon(icon("remove", palette()));
    restart();
}

void RunLogPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio

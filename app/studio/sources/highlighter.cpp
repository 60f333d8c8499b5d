// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/highlighter.h"

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Theme>
#include <QTextBlock>
#include <QTextDocument>

namespace kernelgen::studio {

namespace {

constexpr int slice_milliseconds = 15;

}  // namespace

Highlighter::Highlighter(QTextDocument& document, const QString& file, QObject* parent)
    : SyntaxHighlighter(parent), file_(file), blocks_(document.blockCount()) {
    setDocument(&document);
    slices_.setInterval(0);
    connect(&slices_, &QTimer::timeout, this, &Highlighter::slice);
    connect(&document, &QTextDocument::blockCountChanged, this, &Highlighter::takeBlockCount);
    connect(&reading_, &QFutureWatcher<Syntax>::finished, &slices_, qOverload<>(&QTimer::start));
    reading_.setFuture(sourceSyntax());
}

void Highlighter::begin() {
    syntax_ = reading_.result();
    setDefinition(languageOf(file_, syntax_));
    applyPalette(palette_);
}

void Highlighter::applyPalette(const QPalette& palette) {
    palette_ = palette;
    if (!syntax_) return;
    setTheme(syntax_->themeForPalette(palette));
    horizon_ = 0;
    slices_.start();
    emit coloursChanged();
}

bool Highlighter::isDone() const { return horizon_ >= document()->blockCount(); }

/// An edit that removes lines may bring blocks that wait above the horizon.
void Highlighter::takeBlockCount(int count) {
    if (count < blocks_) horizon_ = std::max(0, horizon_ + count - blocks_);
    blocks_ = count;
    if (!isDone()) slices_.start();
}

/// Colours a block. Blocks are asked for in bulk when a lot of text changes: what would take longer than a slice waits
/// for the next slices.
void Highlighter::highlightBlock(const QString& text) {
    const int number = currentBlock().blockNumber();
    if (!syntax_ || number > horizon_) return;
    if (!since_events_.isValid()) {
        since_events_.start();
        QTimer::singleShot(0, this, [this] { since_events_.invalidate(); });
    }
    if (since_events_.elapsed() > slice_milliseconds) {
        horizon_ = number;
        slices_.start();
        return;
    }
    SyntaxHighlighter::highlightBlock(text);
    if (number == horizon_) ++horizon_;
}

void Highlighter::slice() {
    if (document() == nullptr || !reading_.isFinished()) return slices_.stop();
    if (!syntax_) return begin();
    if (isDone()) return slices_.stop();
    since_events_.invalidate();
    QElapsedTimer timer;
    timer.start();
    QTextBlock block = document()->findBlockByNumber(horizon_);
    while (block.isValid() && timer.elapsed() < slice_milliseconds) {
        rehighlightBlock(block);
        block = document()->findBlockByNumber(horizon_);
    }
}

}  // namespace kernelgen::studio

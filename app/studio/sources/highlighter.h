// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <KSyntaxHighlighting/SyntaxHighlighter>
#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QPalette>
#include <QTimer>

#include "app/studio/sources/syntax.h"

namespace kernelgen::studio {

/// Colours a source by the language that its name tells, from the top down in slices, so that a long one never holds
/// up the window.
class Highlighter : public KSyntaxHighlighting::SyntaxHighlighter {
    Q_OBJECT

public:
    Highlighter(QTextDocument& document, const QString& file, QObject* parent);

    void applyPalette(const QPalette& palette);
    /// Whether all of the text is coloured.
    bool isDone() const;

signals:
    void coloursChanged();  ///< `theme()` is another

protected:
    void highlightBlock(const QString& text) override;

private:
    void begin();
    void slice();
    void takeBlockCount(int count);

    QString file_;
    QPalette palette_;
    QFutureWatcher<Syntax> reading_;
    Syntax syntax_;    ///< null until it has been read: the text is plain so long
    int horizon_ = 0;  ///< blocks from this one on wait for their slice
    int blocks_ = 0;
    QTimer slices_;
    QElapsedTimer since_events_;  ///< valid while the events that are being handled have coloured something
};

}  // namespace kernelgen::studio

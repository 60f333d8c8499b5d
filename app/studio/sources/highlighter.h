// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <KSyntaxHighlighting/SyntaxHighlighter>
#include <KSyntaxHighlighting/Theme>
#include <QElapsedTimer>
#include <QTimer>

namespace kernelgen::studio {

/// The colours that sources are shown in, chosen by a palette.
KSyntaxHighlighting::Theme sourceTheme(const QPalette& palette);

/// Colours a source by the language that its name tells, from the top down in slices, so that a long one never holds
/// up the window.
class Highlighter : public KSyntaxHighlighting::SyntaxHighlighter {
    Q_OBJECT

public:
    Highlighter(QTextDocument& document, const QString& file, QObject* parent);

    void applyPalette(const QPalette& palette);
    /// Whether all of the text is coloured.
    bool isDone() const;

protected:
    void highlightBlock(const QString& text) override;

private:
    void slice();
    void takeBlockCount(int count);

    int horizon_ = 0;  ///< blocks from this one on wait for their slice
    int blocks_ = 0;
    QTimer slices_;
    QElapsedTimer since_events_;  ///< valid while the events that are being handled have coloured something
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace kernelgen::studio {

/// One line of text, which ends in "…" where it has no room, and then shows the whole as its tooltip, if it has no
/// other. `text()` is the whole. It asks for no width, however long the text is.
class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;

    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace kernelgen::studio

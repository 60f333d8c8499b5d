// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace kernelgen::studio {

class SourceEditor;

/// The strip left of a source: line numbers, and a mark where the compiler said something.
class SideBar : public QWidget {
    Q_OBJECT

public:
    explicit SideBar(SourceEditor& editor);

    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    int markWidth() const;

    SourceEditor& editor_;
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QSpinBox;

namespace kernelgen::studio {

/// Asks for the number of a line. Hidden until it is opened; Return goes there, Esc closes it.
class LineBar : public QWidget {
    Q_OBJECT

public:
    explicit LineBar(QWidget* parent = nullptr);

    void openFor(int line, int lines);

signals:
    void chosen(int line);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void close();

    QSpinBox* line_;
};

}  // namespace kernelgen::studio

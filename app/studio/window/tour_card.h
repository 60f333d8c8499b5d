// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace kernelgen::studio {

/// The card of the tour: what a step is about, how far it is, and three buttons. Esc leaves.
class TourCard : public QFrame {
    Q_OBJECT

public:
    explicit TourCard(QWidget& window);

    void showStep(int number, int of, const QString& title, const QString& text);
    /// What there is to say of the step; `done`: the next one may come.
    void showState(const QString& state, bool done, bool can_act);
    /// Stands in the corner of the window where it hides the least of a part, which may be empty.
    void standBeside(const QRect& part);

signals:
    void left();
    void acted();
    void advanced();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyPalette();
    QLabel *number_, *title_, *text_, *state_;
    QPushButton *leave_, *act_, *next_;
    bool is_last_ = false;
};

/// A frame around the part of the window that a step is about; clicks go through it.
class Spotlight : public QWidget {
    Q_OBJECT

public:
    explicit Spotlight(QWidget& window);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace kernelgen::studio

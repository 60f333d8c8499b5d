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
    /// How far the step is.
    struct State {
        QString text;
        bool is_kept_back = false;  ///< the text says by what
        bool may_go_on = false, can_act = false;
    };
    void showState(const State& state);
    /// Stands in the corner of the window where it hides the least of a part, which may be empty.
    void standBeside(const QRect& part);

signals:
    void left();
    void acted();
    void advanced();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void keepFocus(const State& state);
    void applyPalette();
    QLabel *number_, *title_, *text_, *state_;
    QPushButton *leave_, *act_, *next_;
    bool is_last_ = false, is_kept_back_ = false;
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

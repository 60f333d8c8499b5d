// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QMenu>
#include <QObject>
#include <functional>
#include <vector>

class QMainWindow;

namespace kernelgen::studio {

/// Everything that can be done from the menus: each action with its name, shortcut, icon and place.
class Actions : public QObject {
    Q_OBJECT

public:
    explicit Actions(QMainWindow& window);

    QMenu* menu(const QString& title);  ///< a new one at the end of the menu bar

    struct Look {
        QString icon;  ///< of icons/, or ""
        QKeySequence shortcut;
        QString tip;  ///< what it does, in a sentence without a full stop; "" where the name says it
    };
    QAction* add(QMenu* menu, const QString& text, const Look& look, std::function<void()> act);

    /// Why an action is not to be had now, in its tips; "" brings back what it does.
    void explain(QAction* action, const QString& obstacle);
    /// Icons again, in the colours of the window's palette.
    void applyPalette();

private:
    struct WithIcon {
        QAction* action;
        QString icon;
    };
    QMainWindow& window_;
    std::vector<WithIcon> with_icons_;
};

}  // namespace kernelgen::studio

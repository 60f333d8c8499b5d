// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QPointer>
#include <QString>
#include <vector>

class QMainWindow;

namespace kernelgen::studio {

/// An action of the window as the palette offers it.
struct WindowCommand {
    QPointer<QAction> action;
    QString place;     ///< "View › Theme", "Rounds"
    QString name;      ///< "Dark"
    QString keys;      ///< "Ctrl+R", or ""
    QString what;      ///< what it does, in a sentence, or ""
    QString obstacle;  ///< why it is not possible now; "" where it is
};

/// Every action of the window: those of its menus in their order, then those of its panels. What Qt adds by itself to
/// fields and docks is left out.
std::vector<WindowCommand> commandsOf(QMainWindow& window);

}  // namespace kernelgen::studio

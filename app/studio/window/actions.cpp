// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/actions.h"

#include <QMainWindow>
#include <QMenuBar>

#include "app/studio/application/text.h"
#include "app/studio/theme/icons.h"

namespace kernelgen::studio {

Actions::Actions(QMainWindow& window) : QObject(&window), window_(window) {}

QMenu* Actions::menu(const QString& title) {
    QMenu* menu = window_.menuBar()->addMenu(title);
    menu->setToolTipsVisible(true);
    return menu;
}

QAction* Actions::add(QMenu* menu, const QString& text, const Look& look, std::function<void()> act) {
    QAction* action = menu->addAction(text);
    action->setShortcut(look.shortcut);
    const QString name = nameOfAction(text);
    action->setIconText(name);
    action->setWhatsThis(look.tip.isEmpty() ? name : look.tip);
    explain(action, {});
    connect(action, &QAction::triggered, this, std::move(act));
    if (!look.icon.isEmpty()) with_icons_.push_back({action, look.icon});
    return action;
}

void Actions::explain(QAction* action, const QString& obstacle) {
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    const QString does = action->whatsThis().isEmpty() ? nameOfAction(action->text()) : action->whatsThis();
    const QString what = obstacle.isEmpty() ? does : obstacle;
    action->setToolTip(keys.isEmpty() || !obstacle.isEmpty() ? what : what + " (" + keys + ")");
    action->setStatusTip(what);
}

void Actions::applyPalette() {
    for (const WithIcon& each : with_icons_) each.action->setIcon(icon(each.icon, window_.palette()));
}

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/palette/commands_of_window.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTabWidget>
#include <QToolBar>

#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

const QString step = QStringLiteral(" › ");

/// Why a disabled action is disabled: what its owner says, else that it is so.
QString obstacleOf(const QAction& action) {
    if (action.isEnabled()) return {};
    const QString said = action.statusTip();
    return said.isEmpty() ? QCoreApplication::translate("WindowCommand", "Nothing to do it with now") : said;
}

/// What it does, where that is more than its name.
QString whatOf(const QAction& action, const QString& name) {
    const QString said = action.statusTip().isEmpty() ? action.toolTip() : action.statusTip();
    return action.isEnabled() && said != name && said != action.iconText() ? said : QString();
}

WindowCommand commandOf(QAction& action, const QString& place) {
    const QString name = nameOfAction(action.text());
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    return {&action, place, name, keys, whatOf(action, name), obstacleOf(action)};
}

class Collection {
public:
    void addMenu(QMenu& menu, const QString& place) {
        emit menu.aboutToShow();  // some are filled then
        for (QAction* each : menu.actions()) {
            seen_.insert(each);
            if (each->menu() != nullptr) addMenu(*each->menu(), place + step + nameOfAction(each->text()));
            else if (!each->isSeparator()) commands_.push_back(commandOf(*each, place));
        }
    }

    void addPanels(QMainWindow& window) {
        for (QMenu* each : window.findChildren<QMenu*>()) {
            if (!seen_.contains(each->menuAction()) && ownerOf(*each) != nullptr) emit each->aboutToShow();
        }
        for (QAction* each : window.findChildren<QAction*>()) {
            const QWidget* owner = ownerOf(*each);
            const bool is_qts = qobject_cast<const QDockWidget*>(each->parent()) != nullptr ||
                                qobject_cast<const QLineEdit*>(each->parent()) != nullptr;
            const bool has_name = !each->text().isEmpty() && !each->isSeparator() && each->menu() == nullptr;
            if (owner == nullptr || owner->window() != &window || is_qts || !has_name || seen_.contains(each)) continue;
            commands_.push_back(commandOf(*each, placeOf(*owner)));
        }
    }

    std::vector<WindowCommand> take() { return std::move(commands_); }

private:
    /// The widget on the window that has an action, through its menus.
    static const QWidget* ownerOf(const QObject& action) {
        const QObject* owner = action.parent();
        while (owner != nullptr && (!owner->isWidgetType() || qobject_cast<const QMenu*>(owner) != nullptr))
            owner = owner->parent();
        return qobject_cast<const QWidget*>(owner);
    }

    /// The titles of the dock and the tabs around a widget.
    static QString placeOf(const QWidget& owner) {
        QStringList titles;
        for (const QWidget* each = &owner; each != nullptr && !each->isWindow(); each = each->parentWidget()) {
            if (qobject_cast<const QDockWidget*>(each) != nullptr) titles.prepend(each->windowTitle());
            const auto* stack = each->parentWidget();
            const auto* tabs = stack == nullptr ? nullptr : qobject_cast<const QTabWidget*>(stack->parentWidget());
            const int tab = tabs == nullptr ? -1 : tabs->indexOf(each);
            if (tab >= 0) titles.prepend(nameOfAction(tabs->tabText(tab)));
        }
        return titles.isEmpty() ? QCoreApplication::translate("WindowCommand", "Window") : titles.join(step);
    }

    QSet<const QAction*> seen_;
    std::vector<WindowCommand> commands_;
};

}  // namespace

std::vector<WindowCommand> commandsOf(QMainWindow& window) {
    Collection collection;
    for (const QAction* each : window.menuBar()->actions()) {
        if (each->menu() != nullptr) collection.addMenu(*each->menu(), nameOfAction(each->text()));
    }
    collection.addPanels(window);
    return collection.take();
}

}  // namespace kernelgen::studio

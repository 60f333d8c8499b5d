// SPDX-License-Identifier: GPL-3.0-or-later
// The View menu: panels and how they are laid out, text and charts, theme and language.
#include <QActionGroup>
#include <QDockWidget>
#include <QMainWindow>

#include "app/studio/charts/chart_area.h"
#include "app/studio/sources/source_tabs.h"
#include "app/studio/theme/theme.h"
#include "app/studio/window/menus.h"
#include "app/studio/window/panels.h"

namespace kernelgen::studio {

namespace {

/// Of the panels that have no digit: there are ten of these.
QString ownKeyOf(const QDockWidget& dock) {
    if (dock.objectName() == "diagnosis") return QStringLiteral("Ctrl+Shift+D");
    if (dock.objectName() == "queue") return QStringLiteral("Ctrl+Shift+Q");
    return dock.objectName() == "assembly" ? QStringLiteral("Ctrl+Shift+X") : QString();
}

}  // namespace

void Menus::makeViewMenu() {
    QMenu* menu = actions_.menu(tr("&View"));
    int number = 1;
    for (QDockWidget* dock : parts_.panels.docks.all()) {
        const QString own = ownKeyOf(*dock);
        addPanelAction(menu, *dock, own.isEmpty() ? QStringLiteral("Alt+%1").arg(number++ % 10) : own);
    }
    makeLayoutActions(menu);
    menu->addSeparator();
    makeTextActions(menu);
    menu->addSeparator();
    makeChartActions(menu);
    menu->addSeparator();
    addThemes(menu->addMenu(tr("&Theme")));
    addLanguages(menu->addMenu(tr("&Language")));
}

/// A panel is on where it can be seen: one that is behind another tab is raised, not hidden.
void Menus::addPanelAction(QMenu* menu, QDockWidget& dock, const QString& keys) {
    QAction* action = menu->addAction(dock.windowTitle());
    action->setCheckable(true);
    action->setShortcut(QKeySequence(keys));
    connect(&dock, &QDockWidget::windowTitleChanged, action, &QAction::setText);
    connect(&dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
    connect(action, &QAction::triggered, this, [this, &dock](bool on) {
        if (on) parts_.panels.docks.raise(dock);
        else dock.hide();
    });
    for_project_.push_back(action);
}

void Menus::makeLayoutActions(QMenu* menu) {
    Panels& panels = parts_.panels;
    QAction* whole = actions_.add(
        menu, tr("Ma&ximise the panel"),
        {"", QKeySequence("F11"), tr("What has the focus fills the window, and back; so does a double click on a tab")},
        [&panels] { panels.toggleWhole(); });
    whole->setCheckable(true);
    const auto show_state = [whole, &panels] { whole->setChecked(panels.docks.isWhole()); };
    connect(&panels.docks, &Docks::wholeChanged, whole, show_state);
    connect(whole, &QAction::triggered, whole, show_state);
    QAction* pop = actions_.add(menu, tr("Charts in a &window"),
                                {"", QKeySequence("Ctrl+Shift+J"), tr("A window of their own, and back")},
                                [&panels] { panels.popCharts(); });
    addNamedLayouts(menu->addMenu(tr("La&youts")));
    QAction* reset = actions_.add(menu, tr("&Default layout"),
                                  {"", QKeySequence("Ctrl+Shift+L"), tr("Every panel back in its place")}, [this] {
                                      parts_.session.settings().forgetLayout();
                                      parts_.panels.docks.reset();
                                  });
    for_project_.insert(for_project_.end(), {whole, pop, reset});
}

/// What one does needs some of the panels: the others make room.
void Menus::addNamedLayouts(QMenu* menu) {
    menu->setToolTipsVisible(true);
    const auto add = [&](const QString& name, const Actions::Look& look, const QStringList& shown) {
        for_project_.push_back(
            actions_.add(menu, name, look, [this, shown] { parts_.panels.docks.arrange(shown, shown.front()); }));
    };
    add(tr("&Define"), {"", QKeySequence("Ctrl+1"), tr("The definition beside the sources, and their problems")},
        {"problems", "operator", "consistency", "run_log"});
    add(tr("&Tune"), {"", QKeySequence("Ctrl+2"), tr("Tunables, tuning and charts")},
        {"tuning", "tunables", "charts", "rounds", "queue", "comparison", "problems"});
    add(tr("D&iagnose"), {"", QKeySequence("Ctrl+3"), tr("The source beside its assembly, and the diagnosis")},
        {"diagnosis", "assembly", "rounds", "charts", "comparison", "problems"});
}

void Menus::makeTextActions(QMenu* menu) {
    const auto add = [&](const QString& text, const QKeySequence& keys, int steps) {
        for_project_.push_back(
            actions_.add(menu, text, {"", keys, {}}, [this, steps] { parts_.panels.sources->zoom(steps); }));
    };
    add(tr("&Larger source text"), QKeySequence("Ctrl++"), 1);
    add(tr("S&maller source text"), QKeySequence("Ctrl+-"), -1);
}

void Menus::makeChartActions(QMenu* menu) {
    const auto add = [&](const QString& text, const Actions::Look& look, void (ChartArea::*act)()) {
        for_project_.push_back(actions_.add(menu, text, look, [this, act] { (parts_.panels.charts->*act)(); }));
    };
    add(tr("&Fit chart"), {"fit", QKeySequence("Ctrl+0"), tr("Show all of the chart that was used last")},
        &ChartArea::fit);
    add(tr("Chart &legend"), {"legend", QKeySequence("Ctrl+L"), {}}, &ChartArea::toggleLegend);
    add(tr("&Copy chart"), {"copy", QKeySequence("Ctrl+Shift+C"), {}}, &ChartArea::copy);
    add(tr("Save chart &as…"), {"image", QKeySequence("Ctrl+Shift+E"), tr("As PNG, SVG or PDF")}, &ChartArea::saveAs);
}

void Menus::addThemes(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    const std::pair<QString, Theme> themes[] = {
        {tr("&System"), Theme::system}, {tr("&Light"), Theme::light}, {tr("&Dark"), Theme::dark}};
    for (const auto& [name, theme] : themes) {
        QAction* action = menu->addAction(name, this, [this, theme] {
            parts_.session.settings().setTheme(theme);
            applyTheme(theme);
        });
        action->setCheckable(true);
        action->setChecked(parts_.session.settings().theme() == theme);
        group->addAction(action);
    }
}

void Menus::addLanguages(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    const std::pair<QString, QString> languages[] = {
        {tr("&System"), ""}, {QStringLiteral("English"), "en"}, {QStringLiteral("简体中文"), "zh_CN"}};
    for (const auto& [name, code] : languages) {
        QAction* action = menu->addAction(name, this, [this, code] {
            parts_.session.settings().setLanguage(code);
            emit languageChosen();
        });
        action->setCheckable(true);
        action->setChecked(parts_.session.settings().language() == code);
        group->addAction(action);
    }
}

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/session/session.h"
#include "app/studio/window/actions.h"

class QDockWidget;
class QToolBar;

namespace kernelgen::studio {

class Panels;
class ProjectFiles;
class RunBar;

/// The actions of the window's menus and toolbar, of which those that are possible now are enabled.
class Menus : public QObject {
    Q_OBJECT

public:
    /// What the actions act on.
    struct Parts {
        Session& session;
        ProjectFiles& files;
        Panels& panels;
        RunBar& run_bar;
    };
    Menus(QMainWindow& window, const Parts& parts);

    void update();  ///< enables the actions that are possible now
    void applyPalette() { actions_.applyPalette(); }

signals:
    void settingsWanted();
    void aboutWanted();
    void paletteWanted();
    void tourWanted();
    void helpWanted(const QString& place);  ///< "": on what has the focus
    void languageChosen();

private:
    void makeFileMenu();
    void makeEditMenu();
    void makeHistoryActions(QMenu* menu);
    void makeFindActions(QMenu* menu);
    void makeRunMenu();
    void makeRunActions(QMenu* menu);
    void makeQueueActions(QMenu* menu);
    void makeTuneActions(QMenu* menu);
    void makeOptimizeActions(QMenu* menu);
    void makeGateActions(QMenu* menu);
    void makeBuildActions(QMenu* menu);
    void makeSourceActions(QMenu* menu);
    void makeRoundMenu();
    void makeToolBar();
    void makeViewMenu();
    void makeLayoutActions(QMenu* menu);
    void addPanelAction(QMenu* menu, QDockWidget& dock, const QString& keys);
    void makeTextActions(QMenu* menu);
    void makeChartActions(QMenu* menu);
    void addNamedLayouts(QMenu* menu);
    void addThemes(QMenu* menu);
    void addLanguages(QMenu* menu);
    void makeHelpMenu();
    void fillRecent();
    /// Enables actions, or disables them and tells why.
    void allow(const std::vector<QAction*>& actions, const QString& obstacle);

    template <class Window>
    Window* shown();  ///< a window over the session, of which there is one

    QMainWindow& window_;
    Actions actions_;
    Parts parts_;
    QMenu* recent_ = nullptr;
    std::vector<QAction*> for_project_, for_device_, for_present_queue_, for_queue_, for_run_, for_round_, for_tuning_;
    QAction *new_ = nullptr, *open_ = nullptr, *save_ = nullptr, *export_ = nullptr, *run_ = nullptr, *stop_ = nullptr,
            *continue_ = nullptr;
};

}  // namespace kernelgen::studio

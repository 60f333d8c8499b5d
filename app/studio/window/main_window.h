// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QTimer>

#include "app/studio/session/session.h"
#include "app/studio/window/actions.h"
#include "core/report/report.h"

class QDockWidget;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace kernelgen::studio {

class ChartArea;
class ComparisonPanel;
class ConsistencyPanel;
struct ExportedLog;
class LogPreview;
class OperatorPanel;
class ProblemsPanel;
class RoundsPanel;
class RunBar;
class RunLogPanel;
class SourceTabs;
class TunablesPanel;
class WelcomePage;

/// The window: the operator on the left, sources and charts in the middle, tunables on the right, rounds and reports
/// below.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Session& session, QWidget* parent = nullptr);

    /// Opens a project unless the user wants to keep unsaved changes; errors are shown in the window.
    void openProject(const QString& path);
    void keepLayout();  ///< in the settings

signals:
    void languageChosen();  ///< the settings hold another language: the window is to be made anew

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makePanels();
    void makeFileMenu();
    void makeEditMenu();
    void makeFindActions(QMenu* menu);
    void makeRunMenu();
    void makeSourceActions(QMenu* menu);
    void makeRoundMenu();
    void makeViewMenu();
    void addPanelAction(QMenu* menu, QDockWidget& dock, const QString& keys);
    void makeHelpMenu();
    void makeToolBar();
    void makeOffer();
    void connectPanels();
    void connectReports();
    void offerPython();
    void fillRecent();
    void addLanguages(QMenu* menu);
    void addThemes(QMenu* menu);
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* panel, Qt::DockWidgetArea area);
    void placeDocks();
    void restoreWindow();
    void resetLayout();

    void newProject();
    void chooseProject();
    void openSample(const QString& sample);
    void importFiles();
    bool save();
    void saveAs();
    void revert();
    void closeProject();
    void exportLog(Tongue tongue);
    void reportExport(const Result<ExportedLog>& exported);
    void generate();
    void keepSelectedRound();
    void showSettings(bool python);
    void showAbout();

    /// False where the user wants to go on with what is open.
    bool mayLeaveProject();
    void updateState();
    void hidePanels();
    void showPanels();
    void drawAgain();
    void updateTitle();
    void tell(const QString& message);
    void offer(const QString& text, const QString& tip, std::function<void()> act);

    Session& session_;
    Actions actions_;
    QByteArray shipped_layout_;
    QByteArray layout_;  ///< of the panels while they are hidden, otherwise empty
    QTimer panels_turn_;
    OperatorPanel* operator_panel_ = nullptr;
    TunablesPanel* tunables_panel_ = nullptr;
    SourceTabs* source_tabs_ = nullptr;
    ChartArea* chart_area_ = nullptr;
    RoundsPanel* rounds_panel_ = nullptr;
    ProblemsPanel* problems_panel_ = nullptr;
    ConsistencyPanel* consistency_panel_ = nullptr;
    ComparisonPanel* comparison_panel_ = nullptr;
    RunLogPanel* run_log_panel_ = nullptr;
    LogPreview* log_preview_ = nullptr;
    RunBar* run_bar_ = nullptr;
    QSplitter* centre_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    std::vector<QDockWidget*> docks_;
    QDockWidget *rounds_dock_ = nullptr, *problems_dock_ = nullptr, *consistency_dock_ = nullptr,
                *comparison_dock_ = nullptr;
    QMenu* recent_ = nullptr;
    std::vector<QAction*> for_project_, for_device_, for_run_, for_round_;
    QAction* save_ = nullptr;
    QPushButton* offer_ = nullptr;
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_area.h"
#include "app/studio/comparison/comparison_panel.h"
#include "app/studio/consistency/consistency_panel.h"
#include "app/studio/operator/operator_panel.h"
#include "app/studio/reports/log_preview.h"
#include "app/studio/reports/problems_panel.h"
#include "app/studio/reports/run_log_panel.h"
#include "app/studio/rounds/rounds_panel.h"
#include "app/studio/sources/code_window.h"
#include "app/studio/sources/source_tabs.h"
#include "app/studio/tunables/tunables_panel.h"
#include "app/studio/window/notices.h"
#include "app/studio/window/run_bar.h"
#include "app/studio/window/welcome_page.h"

namespace kernelgen::studio {

MainWindow::MainWindow(Session& session, QWidget* parent) : QMainWindow(parent), session_(session), actions_(*this) {
    setObjectName("main_window");
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    makePanels();
    makeFileMenu();
    makeEditMenu();
    makeRunMenu();
    makeRoundMenu();
    makeToolBar();
    makeViewMenu();
    makeHelpMenu();
    makeOffer();
    connectPanels();
    actions_.applyPalette();
    restoreWindow();
    if (!session_.document().isOpen()) hidePanels();
    updateState();
    qApp->installEventFilter(this);
}

void MainWindow::makePanels() {
    operator_panel_ = new OperatorPanel(session_);
    tunables_panel_ = new TunablesPanel(session_);
    source_tabs_ = new SourceTabs(session_);
    chart_area_ = new ChartArea(session_);
    rounds_panel_ = new RoundsPanel(session_);
    problems_panel_ = new ProblemsPanel(session_);
    consistency_panel_ = new ConsistencyPanel(session_);
    comparison_panel_ = new ComparisonPanel(session_);
    run_log_panel_ = new RunLogPanel(session_);
    log_preview_ = new LogPreview(session_);
    run_bar_ = new RunBar(session_);
    centre_ = new QSplitter(Qt::Vertical);
    centre_->addWidget(source_tabs_);
    centre_->addWidget(chart_area_);
    centre_->setSizes({360, 400});
    centre_->setChildrenCollapsible(true);
    auto* welcome = new WelcomePage(session_.settings());
    connect(welcome, &WelcomePage::newProject, this, &MainWindow::newProject);
    connect(welcome, &WelcomePage::chooseProject, this, &MainWindow::chooseProject);
    connect(welcome, &WelcomePage::openProject, this, &MainWindow::openProject);
    connect(welcome, &WelcomePage::openSample, this, &MainWindow::openSample);
    connect(&session_.document(), &ProjectDocument::opened, welcome, &WelcomePage::refresh);
    pages_ = new QStackedWidget;
    pages_->addWidget(welcome);
    pages_->addWidget(centre_);
    pages_->setCurrentWidget(centre_);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(new Notices(session_));
    column->addWidget(pages_, 1);
    setCentralWidget(centre);
    addDock("operator", tr("Operator"), operator_panel_, Qt::LeftDockWidgetArea);
    addDock("tunables", tr("Tunables"), tunables_panel_, Qt::RightDockWidgetArea);
    const auto below = Qt::BottomDockWidgetArea;
    rounds_dock_ = addDock("rounds", tr("Rounds"), rounds_panel_, below);
    problems_dock_ = addDock("problems", tr("Problems"), problems_panel_, below);
    consistency_dock_ = addDock("consistency", tr("Consistency"), consistency_panel_, below);
    comparison_dock_ = addDock("comparison", tr("Comparison"), comparison_panel_, below);
    addDock("run_log", tr("Run log"), run_log_panel_, below);
    addDock("log_preview", tr("Log preview"), log_preview_, below);
    placeDocks();
}

QDockWidget* MainWindow::addDock(const QString& id, const QString& title, QWidget* panel, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(id);
    dock->setWidget(panel);
    panel->setAccessibleName(title);
    addDockWidget(area, dock);
    docks_.push_back(dock);
    return dock;
}

void MainWindow::placeDocks() {
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (std::size_t i = 3; i < docks_.size(); ++i) tabifyDockWidget(rounds_dock_, docks_[i]);
    rounds_dock_->raise();
    resizeDocks({docks_[0], docks_[1]}, {330, 300}, Qt::Horizontal);
    resizeDocks({rounds_dock_}, {240}, Qt::Vertical);
}

void MainWindow::makeFileMenu() {
    QMenu* menu = actions_.menu(tr("&File"));
    QAction* create = actions_.add(menu, tr("&New project…"), {"new", QKeySequence::New, {}}, [this] { newProject(); });
    QAction* open =
        actions_.add(menu, tr("&Open project…"), {"open", QKeySequence::Open, {}}, [this] { chooseProject(); });
    actions_.add(menu, tr("&Import Python files…"),
                 {"", QKeySequence("Ctrl+I"), tr("Make a project of an operator's Triton and PyTorch files")},
                 [this] { importFiles(); });
    recent_ = menu->addMenu(tr("Open &recent"));
    connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    menu->addSeparator();
    save_ = actions_.add(menu, tr("&Save"), {"save", QKeySequence::Save, tr("Write the project and its sources")},
                         [this] { save(); });
    QAction* save_as = actions_.add(
        menu, tr("Save &as…"), {"", QKeySequence("Ctrl+Shift+S"), tr("A copy in another folder, without its rounds")},
        [this] { saveAs(); });
    QAction* revert = actions_.add(menu, tr("Re&vert"),
                                   {"", QKeySequence("Ctrl+Shift+R"), tr("Back to what is on disk; can be undone")},
                                   [this] { this->revert(); });
    menu->addSeparator();
    QAction* export_log =
        actions_.add(menu, tr("&Export the log"),
                     {"export", QKeySequence("Ctrl+E"), tr("Write optimization_log.md with its charts")},
                     [this] { exportLog(tongueOfInterface()); });
    menu->addSeparator();
    QAction* close =
        actions_.add(menu, tr("&Close project"), {"", QKeySequence::Close, {}}, [this] { closeProject(); });
    actions_.add(menu, tr("&Quit"), {"", QKeySequence("Ctrl+Q"), {}}, [this] { QWidget::close(); });
    for_project_.insert(for_project_.end(), {save_as, revert, export_log, close});
    create->setObjectName("new_project");
    open->setObjectName("open_project");
    export_log->setObjectName("export_log");
}

void MainWindow::makeEditMenu() {
    QMenu* menu = actions_.menu(tr("&Edit"));
    QUndoStack& undo = session_.document().undoStack();
    QAction* undo_action = actions_.add(menu, tr("&Undo"), {"undo", QKeySequence::Undo, {}}, [&undo] { undo.undo(); });
    QAction* redo_action =
        actions_.add(menu, tr("&Redo"), {"redo", QKeySequence("Ctrl+Shift+Z"), {}}, [&undo] { undo.redo(); });
    connect(&undo, &QUndoStack::undoTextChanged, undo_action, [undo_action](const QString& what) {
        undo_action->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(what));
    });
    connect(&undo, &QUndoStack::redoTextChanged, redo_action, [redo_action](const QString& what) {
        redo_action->setText(what.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(what));
    });
    connect(&undo, &QUndoStack::canUndoChanged, undo_action, &QAction::setEnabled);
    connect(&undo, &QUndoStack::canRedoChanged, redo_action, &QAction::setEnabled);
    undo_action->setEnabled(undo.canUndo());
    redo_action->setEnabled(undo.canRedo());
    menu->addSeparator();
    makeFindActions(menu);
    QAction* filter = actions_.add(menu, tr("Filter &rounds"), {"", QKeySequence("Ctrl+Shift+F"), {}}, [this] {
        rounds_dock_->raise();
        rounds_panel_->focusFilter();
    });
    menu->addSeparator();
    actions_.add(menu, tr("&Settings…"), {"settings", QKeySequence("Ctrl+,"), {}}, [this] { showSettings(false); });
    for_project_.push_back(filter);
}

void MainWindow::makeFindActions(QMenu* menu) {
    const auto add = [&](const QString& text, const Actions::Look& look, void (SourceTabs::*act)()) {
        for_project_.push_back(actions_.add(menu, text, look, [this, act] { (source_tabs_->*act)(); }));
    };
    add(tr("&Find…"), {"search", QKeySequence::Find, tr("Find in the source that is shown")}, &SourceTabs::find);
    add(tr("Find ne&xt"), {"", QKeySequence("F3"), {}}, &SourceTabs::findNext);
    add(tr("Find pre&vious"), {"", QKeySequence("Shift+F3"), {}}, &SourceTabs::findPrevious);
    add(tr("Find and re&place…"), {"", QKeySequence("Ctrl+H"), {}}, &SourceTabs::replace);
    add(tr("Go to &line…"), {"", QKeySequence("Ctrl+Shift+G"), {}}, &SourceTabs::goToLine);
    add(tr("Go to sour&ce…"), {"", QKeySequence("Ctrl+Shift+O"), tr("All sources of the project")},
        &SourceTabs::chooseSource);
}

void MainWindow::makeRunMenu() {
    QMenu* menu = actions_.menu(tr("&Run"));
    QAction* run = actions_.add(
        menu, tr("Verify and &bench"),
        {"run", QKeySequence("F5"), tr("Verify the variant, time it against its baseline, record a round")},
        [this] { session_.run(run_bar_->note()); });
    QAction* verify = actions_.add(menu, tr("&Verify only"),
                                   {"verify", QKeySequence("Shift+F5"), tr("Check accuracy; records nothing")},
                                   [this] { session_.verify(); });
    QAction* build =
        actions_.add(menu, tr("B&uild"), {"", QKeySequence("Ctrl+B"), tr("Build the variant as it stands")},
                     [this] { session_.build(); });
    QAction* compare = actions_.add(
        menu, tr("&Compare all variants"),
        {"compare", QKeySequence("F6"), tr("Verify and time every variant of the device side by side, in one run")},
        [this] { session_.compare(); });
    QAction* code = actions_.add(menu, tr("Show com&piled code"),
                                 {"", QKeySequence("Ctrl+Shift+X"),
                                  tr("PTX of the CUDA or Triton variant as it stands, and Triton's steps before it")},
                                 [this] { (new CodeWindow(session_, this))->show(); });
    QAction* stop =
        actions_.add(menu, tr("&Stop"),
                     {"stop", QKeySequence("Ctrl+."), tr("End the run; what is under way is recorded as cancelled")},
                     [this] { session_.engine().stop(); });
    QAction* note =
        actions_.add(menu, tr("Write the &note"), {"", QKeySequence("Ctrl+Shift+N"), tr("Why the next round is made")},
                     [this] { run_bar_->focusNote(); });
    menu->addSeparator();
    makeSourceActions(menu);
    menu->addSeparator();
    QAction* ceilings =
        actions_.add(menu, tr("&Measure ceilings"),
                     {"ceilings", QKeySequence("Ctrl+M"), tr("Measure what the device can reach; some ten seconds")},
                     [this] { session_.engine().measureCeilings(session_.device()); });
    run->setObjectName("run");
    stop->setObjectName("stop");
    for_device_ = {run, verify, compare, ceilings};
    for_project_.insert(for_project_.end(), {build, code, note});
    for_run_ = {stop};
}

/// What changes tunables and sources as a whole.
void MainWindow::makeSourceActions(QMenu* menu) {
    QAction* best = actions_.add(menu, tr("Take the best round's &tunables"), {"", QKeySequence("Ctrl+Shift+B"), {}},
                                 [this] { tunables_panel_->takeBest(); });
    QAction* reset = actions_.add(menu, tr("&Reset tunables"),
                                  {"reset", QKeySequence("Ctrl+Shift+0"), tr("The values that are saved")},
                                  [this] { tunables_panel_->resetToProject(); });
    QAction* generate =
        actions_.add(menu, tr("&Generate sources"),
                     {"generate", QKeySequence("Ctrl+G"), tr("Write the generated sources again from the definition")},
                     [this] { this->generate(); });
    QAction* step = actions_.add(
        menu, tr("Bring &in step"),
        {"", QKeySequence("Ctrl+Shift+Y"), tr("Write stale files again and set tunables in place; leave edits alone")},
        [this] { consistency_panel_->bringInStep(); });
    for_project_.insert(for_project_.end(), {best, reset, generate, step});
}

void MainWindow::makeRoundMenu() {
    QMenu* menu = actions_.menu(tr("R&ounds"));
    QAction* restore = actions_.add(
        menu, tr("&Restore the selected round"),
        {"restore", QKeySequence("Ctrl+R"), tr("Its tunables and sources become the project's; can be undone")},
        [this] { keepSelectedRound(); });
    for_round_ = {restore};
}

void MainWindow::makeToolBar() {
    auto* bar = addToolBar(tr("Main toolbar"));
    bar->setObjectName("toolbar");
    bar->setIconSize({18, 18});
    bar->setMovable(false);
    const auto find = [this](const char* name) { return this->findChild<QAction*>(name); };
    bar->addActions({find("new_project"), find("open_project"), save_});
    bar->addSeparator();
    bar->addActions({find("run"), find("stop")});
    bar->addWidget(run_bar_);
    bar->addAction(find("export_log"));
    bar->widgetForAction(find("run"))->setObjectName("run_button");
    if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(find("run")))) {
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
}

void MainWindow::makeViewMenu() {
    QMenu* menu = actions_.menu(tr("&View"));
    int number = 1;
    for (QDockWidget* dock : docks_) addPanelAction(menu, *dock, QStringLiteral("Alt+%1").arg(number++));
    for_project_.push_back(actions_.add(menu, tr("&Default layout"),
                                        {"", QKeySequence("Ctrl+Shift+L"), tr("Every panel back in its place")},
                                        [this] { resetLayout(); }));
    menu->addSeparator();
    const auto source = [&](const QString& text, const QKeySequence& keys, int steps) {
        for_project_.push_back(actions_.add(menu, text, {"", keys, {}}, [this, steps] { source_tabs_->zoom(steps); }));
    };
    source(tr("&Larger source text"), QKeySequence("Ctrl++"), 1);
    source(tr("S&maller source text"), QKeySequence("Ctrl+-"), -1);
    menu->addSeparator();
    const auto chart = [&](const QString& text, const Actions::Look& look, void (ChartArea::*act)()) {
        for_project_.push_back(actions_.add(menu, text, look, [this, act] { (chart_area_->*act)(); }));
    };
    chart(tr("&Fit chart"), {"fit", QKeySequence("Ctrl+0"), tr("Show all of the chart that was used last")},
          &ChartArea::fit);
    chart(tr("Chart &legend"), {"legend", QKeySequence("Ctrl+L"), {}}, &ChartArea::toggleLegend);
    chart(tr("&Copy chart"), {"copy", QKeySequence("Ctrl+Shift+C"), {}}, &ChartArea::copy);
    chart(tr("Save chart &as…"), {"image", QKeySequence("Ctrl+Shift+E"), tr("As PNG, SVG or PDF")}, &ChartArea::saveAs);
    menu->addSeparator();
    addThemes(menu->addMenu(tr("&Theme")));
    addLanguages(menu->addMenu(tr("&Language")));
}

/// A panel is on where it can be seen: one that is behind another tab is raised, not hidden.
void MainWindow::addPanelAction(QMenu* menu, QDockWidget& dock, const QString& keys) {
    QAction* action = menu->addAction(dock.windowTitle());
    action->setCheckable(true);
    action->setShortcut(QKeySequence(keys));
    connect(&dock, &QDockWidget::windowTitleChanged, action, &QAction::setText);
    connect(&dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
    connect(action, &QAction::triggered, &dock, [&dock](bool on) {
        dock.setVisible(on);
        if (on) dock.raise();
    });
    for_project_.push_back(action);
}

void MainWindow::makeHelpMenu() {
    QMenu* menu = actions_.menu(tr("&Help"));
    actions_.add(menu, tr("&About KernelGen Studio"), {"", QKeySequence("F1"), {}}, [this] { showAbout(); });
}

void MainWindow::makeOffer() {
    offer_ = new QPushButton;
    offer_->setObjectName("offer");
    offer_->setAccessibleName(tr("What to do next"));
    offer_->hide();
    statusBar()->addPermanentWidget(offer_);
    connect(&session_.document(), &ProjectDocument::opened, offer_, &QWidget::hide);
    connect(&session_.engine(), &Engine::runStarted, offer_, &QWidget::hide);
}

void MainWindow::offerPython() {
    offer(tr("Settings…"), tr("Name the interpreter that has PyTorch and Triton"), [this] { showSettings(true); });
}

void MainWindow::connectPanels() {
    const auto update = [this] { updateState(); };
    ProjectDocument& document = session_.document();
    connect(&document, &ProjectDocument::opened, this, update);
    connect(&document, &ProjectDocument::changed, this, update);
    connect(&document, &ProjectDocument::modifiedChanged, this, update);
    connect(&session_, &Session::variantChanged, this, update);
    connect(&session_.engine(), &Engine::devicesChanged, this, update);
    connect(&session_, &Session::selectedRoundChanged, this, update);
    connect(&session_, &Session::refused, this, [this](const QString& why) {
        tell(why);
        problems_dock_->raise();
    });
    connect(&session_.engine(), &Engine::runningChanged, this, update);
    panels_turn_.setSingleShot(true);
    panels_turn_.setInterval(0);
    connect(&panels_turn_, &QTimer::timeout, this, &MainWindow::showPanels);
    connect(&session_.engine(), &Engine::runFinished, this, [this](const RunOutcome& outcome) {
        tell(session_.log().entries().back().text);
        if (outcome.recorded) rounds_dock_->raise();
        if (asksForPython(outcome.detail.round.reason)) offerPython();
    });
    // The dock receives it: texts tell of changes even as the window goes.
    connect(problems_panel_, &ProblemsPanel::countChanged, problems_dock_, [dock = problems_dock_](int errors) {
        dock->setWindowTitle(errors == 0 ? tr("Problems") : tr("Problems (%1)").arg(errors));
    });
    connectReports();
    connect(rounds_panel_, &RoundsPanel::restoreWanted, this, &MainWindow::keepSelectedRound);
    connect(log_preview_, &LogPreview::exportWanted, this, &MainWindow::exportLog);
    connect(problems_panel_, &ProblemsPanel::goToDefinition, this, [this](const QString& where) {
        docks_[0]->show();
        operator_panel_->goTo(where);
    });
    connect(problems_panel_, &ProblemsPanel::goToSource, source_tabs_, &SourceTabs::goTo);
    connect(tunables_panel_, &TunablesPanel::goToSource, source_tabs_, &SourceTabs::goTo);
    connect(tunables_panel_, &TunablesPanel::settingsWanted, this, [this] { showSettings(true); });
    connect(consistency_panel_, &ConsistencyPanel::settingsWanted, this, [this] { showSettings(true); });
}

void MainWindow::connectReports() {
    connect(consistency_panel_, &ConsistencyPanel::countChanged, consistency_dock_,
            [dock = consistency_dock_](int count) {
                dock->setWindowTitle(count == 0 ? tr("Consistency") : tr("Consistency (%1)").arg(count));
            });
    connect(consistency_panel_, &ConsistencyPanel::goToSource, source_tabs_, &SourceTabs::goTo);
    connect(consistency_panel_, &ConsistencyPanel::goToDefinition, problems_panel_, &ProblemsPanel::goToDefinition);
    connect(consistency_panel_, &ConsistencyPanel::done, this, &MainWindow::tell);
    connect(&session_.engine(), &Engine::comparisonFinished, this, [this](const ComparisonOutcome& outcome) {
        comparison_dock_->raise();
        chart_area_->showComparison();
        const auto lacking = [](const ComparedVariant& each) { return asksForPython(each.reason); };
        if (outcome.comparison && std::ranges::any_of(outcome.comparison->variants, lacking)) offerPython();
    });
}

void MainWindow::updateState() {
    const bool open = session_.document().isOpen();
    const bool running = session_.engine().isRunning();
    panels_turn_.start();
    for (QAction* each : for_project_) each->setEnabled(open);
    const QString obstacle = session_.whyNothingRuns();
    for (QAction* each : for_device_) {
        each->setEnabled(open && !running && obstacle.isEmpty());
        actions_.explain(each, obstacle);
    }
    for (QAction* each : for_run_) each->setEnabled(running);
    for (QAction* each : for_round_) each->setEnabled(session_.selectedRound().has_value());
    save_->setEnabled(session_.document().isModified());
    updateTitle();
}

/// Without a project the panels have nothing to show: then there is the welcome page alone.
void MainWindow::hidePanels() {
    if (layout_.isEmpty()) layout_ = saveState();
    pages_->setCurrentIndex(0);
    for (QDockWidget* dock : docks_) dock->hide();
}

/// One step in each turn of the event loop, so that the window answers in between: the middle is laid out, then the
/// docks, then all is drawn at once.
void MainWindow::showPanels() {
    const bool middle = pages_->currentIndex() == 1;
    if (!session_.document().isOpen()) {
        if (middle) hidePanels();
        return drawAgain();
    }
    if (!middle) {
        setUpdatesEnabled(false);
        pages_->setCurrentIndex(1);
    } else if (!layout_.isEmpty()) {
        restoreState(std::exchange(layout_, {}));
    } else {
        return drawAgain();
    }
    panels_turn_.start();
}

/// At once: a request to draw that Qt had posted was lost while drawing was off, and it posts no second one.
void MainWindow::drawAgain() {
    if (updatesEnabled()) return;
    setUpdatesEnabled(true);
    repaint();
}

void MainWindow::updateTitle() {
    const ProjectDocument& document = session_.document();
    setWindowModified(document.isModified());
    setWindowFilePath(document.isOpen() ? document.folder() : QString());
    setWindowTitle(document.isOpen() ? QStringLiteral("%1[*] – KernelGen Studio").arg(document.title())
                                     : QStringLiteral("KernelGen Studio"));
}

void MainWindow::tell(const QString& message) { statusBar()->showMessage(message.section('\n', 0, 0), 15000); }

/// What follows from the message, as a button in the status bar, until it is done or another project is opened.
void MainWindow::offer(const QString& text, const QString& tip, std::function<void()> act) {
    offer_->disconnect(this);
    offer_->setText(text);
    offer_->setToolTip(tip);
    connect(offer_, &QPushButton::clicked, this, [this, act = std::move(act)] {
        offer_->hide();
        act();
    });
    offer_->show();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    // One history of edits: fields and editors leave undo and redo to the window's own. Where that has nothing to undo,
    // its action is disabled and lets the key through.
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto* widget = qobject_cast<QWidget*>(watched);
        const bool is_redo =
            key->keyCombination() == QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_Z);
        if (widget != nullptr && widget->window() == this &&
            (is_redo || key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
            event->ignore();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) actions_.applyPalette();
}

}  // namespace kernelgen::studio

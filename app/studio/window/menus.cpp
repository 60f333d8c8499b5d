// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/menus.h"

#include <QMainWindow>
#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>

#include "app/studio/application/language.h"
#include "app/studio/consistency/consistency_panel.h"
#include "app/studio/diagnosis/diagnosis_panel.h"
#include "app/studio/gate/gate_window.h"
#include "app/studio/operator/operator_panel.h"
#include "app/studio/patterns/patterns_window.h"
#include "app/studio/queue/queue_panel.h"
#include "app/studio/rounds/rounds_panel.h"
#include "app/studio/sources/source_tabs.h"
#include "app/studio/tunables/tunables_panel.h"
#include "app/studio/tuning/tuning_panel.h"
#include "app/studio/whatif/whatif_window.h"
#include "app/studio/window/panels.h"
#include "app/studio/window/project_files.h"
#include "app/studio/window/run_bar.h"

namespace kernelgen::studio {

Menus::Menus(QMainWindow& window, const Parts& parts)
    : QObject(&window), window_(window), actions_(window), parts_(parts) {
    makeFileMenu();
    makeEditMenu();
    makeRunMenu();
    makeRoundMenu();
    makeToolBar();
    makeViewMenu();
    makeHelpMenu();
    actions_.applyPalette();
}

void Menus::makeFileMenu() {
    QMenu* menu = actions_.menu(tr("&File"));
    ProjectFiles& files = parts_.files;
    new_ = actions_.add(menu, tr("&New project…"), {"new", QKeySequence::New, {}}, [&files] { files.create(); });
    open_ = actions_.add(menu, tr("&Open project…"), {"open", QKeySequence::Open, {}}, [&files] { files.choose(); });
    actions_.add(menu, tr("&Import files of my own…"),
                 {"", QKeySequence("Ctrl+I"), tr("Make a project of a Triton or PyTorch file, or of a folder of them")},
                 [&files] { files.import(); });
    actions_.add(menu, tr("O&perators of a model…"),
                 {"", QKeySequence("Ctrl+Shift+M"), tr("What each of a model's operators takes, and projects of them")},
                 [&files] { files.showModel(); });
    actions_.add(
        menu, tr("&FP8 scaling…"),
        {"", QKeySequence("Ctrl+Shift+8"), tr("Which FP8 format and scales a tensor needs, and what they cost")},
        [&files] { files.showScaling(); });
    recent_ = menu->addMenu(tr("Open &recent"));
    connect(recent_, &QMenu::aboutToShow, this, &Menus::fillRecent);
    menu->addSeparator();
    save_ = actions_.add(menu, tr("&Save"), {"save", QKeySequence::Save, tr("Write the project and its sources")},
                         [&files] { files.save(); });
    QAction* save_as = actions_.add(
        menu, tr("Save &as…"), {"", QKeySequence("Ctrl+Shift+S"), tr("A copy in another folder, without its rounds")},
        [&files] { files.saveAs(); });
    QAction* revert = actions_.add(menu, tr("Re&vert"),
                                   {"", QKeySequence("Ctrl+Shift+R"), tr("Back to what is on disk; can be undone")},
                                   [&files] { files.revert(); });
    menu->addSeparator();
    export_ = actions_.add(menu, tr("&Export the log"),
                           {"export", QKeySequence("Ctrl+E"), tr("Write optimization_log.md with its charts")},
                           [&files] { files.exportLog(tongueOfInterface()); });
    export_->setObjectName("export_log");
    menu->addSeparator();
    QAction* close =
        actions_.add(menu, tr("&Close project"), {"", QKeySequence::Close, {}}, [&files] { files.close(); });
    actions_.add(menu, tr("&Quit"), {"", QKeySequence("Ctrl+Q"), {}}, [this] { window_.close(); });
    for_project_.insert(for_project_.end(), {save_as, revert, export_, close});
}

void Menus::makeHelpMenu() {
    QMenu* menu = actions_.menu(tr("&Help"));
    actions_.add(menu, tr("Find an &action…"),
                 {"", QKeySequence("Ctrl+Shift+P"), tr("Every action of the window by some letters of its name")},
                 [this] { emit paletteWanted(); });
    actions_.add(menu, tr("&Tour"), {"", QKeySequence("Ctrl+F2"), tr("Five steps in the window itself; Esc leaves it")},
                 [this] { emit tourWanted(); });
    QAction* here = actions_.add(menu, tr("&Guide"),
                                 {"", QKeySequence("F1"), tr("The guide, at the place about what has the focus")},
                                 [this] { emit helpWanted({}); });
    here->setShortcutContext(Qt::ApplicationShortcut);  // the gate's window and the like have no menu of their own
    actions_.add(menu, tr("&Keys"), {"", QKeySequence("Ctrl+F1"), tr("All keys of the window")},
                 [this] { emit helpWanted(QStringLiteral("keys")); });
    actions_.add(menu, tr("What the &numbers mean"), {"", QKeySequence("Ctrl+Shift+F1"), {}},
                 [this] { emit helpWanted(QStringLiteral("numbers")); });
    menu->addSeparator();
    actions_.add(menu, tr("&About KernelGen Studio"), {"", QKeySequence("Shift+F1"), {}},
                 [this] { emit aboutWanted(); });
}

void Menus::fillRecent() {
    recent_->clear();
    for (const QString& folder : parts_.session.settings().recentProjects()) {
        recent_->addAction(folder, this, [this, folder] { parts_.files.open(folder); });
    }
    if (!recent_->isEmpty()) return;
    QAction* none = recent_->addAction(tr("None yet"));
    none->setEnabled(false);
    none->setStatusTip(tr("No project has been opened yet"));
}

void Menus::makeEditMenu() {
    QMenu* menu = actions_.menu(tr("&Edit"));
    makeHistoryActions(menu);
    menu->addSeparator();
    makeFindActions(menu);
    for_project_.push_back(actions_.add(menu, tr("Filter &rounds"), {"", QKeySequence("Ctrl+Shift+F"), {}}, [this] {
        Panels& panels = parts_.panels;
        panels.docks.raise(*panels.docks["rounds"]);
        panels.rounds->focusFilter();
    }));
    for_project_.push_back(
        actions_.add(menu, tr("&Quick fix…"),
                     {"", QKeySequence("Alt+Return"),
                      tr("What could mend the definition: a name that was meant, an input that is missing")},
                     [this] {
                         Panels& panels = parts_.panels;
                         panels.docks.raise(*panels.docks["operator"]);
                         if (!panels.definition->offerFixes())
                             emit panels.told(tr("Nothing that is wrong in the definition has a quick fix"));
                     }));
    menu->addSeparator();
    actions_.add(menu, tr("&Settings…"), {"settings", QKeySequence("Ctrl+,"), {}}, [this] { emit settingsWanted(); });
}

void Menus::makeHistoryActions(QMenu* menu) {
    QUndoStack& history = parts_.session.document().undoStack();
    QAction* undo = actions_.add(menu, tr("&Undo"), {"undo", QKeySequence::Undo, {}}, [&history] { history.undo(); });
    QAction* redo =
        actions_.add(menu, tr("&Redo"), {"redo", QKeySequence("Ctrl+Shift+Z"), {}}, [&history] { history.redo(); });
    connect(&history, &QUndoStack::undoTextChanged, undo,
            [undo](const QString& what) { undo->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(what)); });
    connect(&history, &QUndoStack::redoTextChanged, redo,
            [redo](const QString& what) { redo->setText(what.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(what)); });
    connect(&history, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&history, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    undo->setEnabled(history.canUndo());
    redo->setEnabled(history.canRedo());
    const auto explain = [this, undo, redo, &history] {
        actions_.explain(undo, history.canUndo() ? QString() : tr("Nothing to undo"));
        actions_.explain(redo, history.canRedo() ? QString() : tr("Nothing to redo"));
    };
    connect(&history, &QUndoStack::canUndoChanged, undo, explain);
    connect(&history, &QUndoStack::canRedoChanged, redo, explain);
    explain();
}

void Menus::makeFindActions(QMenu* menu) {
    const auto add = [&](const QString& text, const Actions::Look& look, void (SourceTabs::*act)()) {
        for_project_.push_back(actions_.add(menu, text, look, [this, act] {
            parts_.panels.showSources();
            (parts_.panels.sources->*act)();
        }));
    };
    add(tr("&Find…"), {"search", QKeySequence::Find, tr("Find in the source that is shown")}, &SourceTabs::find);
    add(tr("Find ne&xt"), {"", QKeySequence("F3"), {}}, &SourceTabs::findNext);
    add(tr("Find pre&vious"), {"", QKeySequence("Shift+F3"), {}}, &SourceTabs::findPrevious);
    add(tr("Find and re&place…"), {"", QKeySequence("Ctrl+H"), {}}, &SourceTabs::replace);
    add(tr("Go to &line…"), {"", QKeySequence("Ctrl+Shift+G"), {}}, &SourceTabs::goToLine);
    add(tr("Go to sour&ce…"), {"", QKeySequence("Ctrl+Shift+O"), tr("All sources of the project")},
        &SourceTabs::chooseSource);
}

void Menus::makeRunMenu() {
    QMenu* menu = actions_.menu(tr("&Run"));
    makeRunActions(menu);
    makeQueueActions(menu);
    makeTuneActions(menu);
    makeOptimizeActions(menu);
    makeGateActions(menu);
    makeBuildActions(menu);
    menu->addSeparator();
    makeSourceActions(menu);
    menu->addSeparator();
    Session& session = parts_.session;
    for_device_.push_back(
        actions_.add(menu, tr("&Measure ceilings"),
                     {"ceilings", QKeySequence("Ctrl+M"), tr("Measure what the device can reach; some ten seconds")},
                     [&session] { session.engine().measureCeilings(session.device()); }));
    actions_.add(menu, tr("Reconnect the worker"),
                 {"", QKeySequence("Ctrl+Alt+R"), tr("Start it again and ask for its devices, where it was lost")},
                 [&session] { session.applyWorkerSettings(); });
}

void Menus::makeRunActions(QMenu* menu) {
    Session& session = parts_.session;
    run_ = actions_.add(
        menu, tr("Verify and &bench"),
        {"run", QKeySequence("F5"), tr("Verify the variant, time it against its baseline, record a round")},
        [this] { parts_.session.run(parts_.run_bar.note()); });
    QAction* verify = actions_.add(menu, tr("&Verify only"),
                                   {"verify", QKeySequence("Shift+F5"), tr("Check accuracy; records nothing")},
                                   [&session] { session.verify(); });
    QAction* compare = actions_.add(
        menu, tr("&Compare all variants"),
        {"compare", QKeySequence("F6"), tr("Verify and time every variant of the device side by side, in one run")},
        [&session] { session.compare(); });
    stop_ =
        actions_.add(menu, tr("&Stop"),
                     {"stop", QKeySequence("Ctrl+."), tr("End the run; what is under way is recorded as cancelled")},
                     [&session] { session.engine().stop(); });
    for_device_.insert(for_device_.end(), {run_, verify, compare});
    for_run_.push_back(stop_);
}

/// A queue may be filled while something runs.
void Menus::makeQueueActions(QMenu* menu) {
    for_present_queue_.push_back(actions_.add(menu, tr("Add to the &queue"),
                                              {"", QKeySequence("Ctrl+F5"), tr("Do what F5 does when its turn comes")},
                                              [this] {
                                                  parts_.panels.docks.raise(*parts_.panels.docks["queue"]);
                                                  parts_.session.enqueue(parts_.run_bar.note());
                                              }));
    for_queue_.push_back(actions_.add(
        menu, tr("Queue ru&ns…"),
        {"", QKeySequence("Ctrl+Shift+F5"), tr("Configurations, devices and cases, to be run one after the other")},
        [this] {
            parts_.panels.docks.raise(*parts_.panels.docks["queue"]);
            parts_.panels.queue->choose();
        }));
}

void Menus::makeTuneActions(QMenu* menu) {
    const auto add = [&](const QString& text, const Actions::Look& look, void (TuningPanel::*act)()) {
        return actions_.add(menu, text, look, [this, act] {
            Panels& panels = parts_.panels;
            panels.docks.raise(*panels.docks["tuning"]);
            (panels.tuning->*act)();
        });
    };
    for_device_.push_back(add(tr("&Tune"), {"", QKeySequence("F7"), tr("Find the best configuration of the variant")},
                              &TuningPanel::start));
    continue_ = add(tr("Pause or c&ontinue the tuning"),
                    {"", QKeySequence("Shift+F7"), tr("Pause the tuning that runs, or go on with the last one")},
                    &TuningPanel::pauseOrContinue);
    for_tuning_.push_back(add(tr("&Decide the tuning"),
                              {"", QKeySequence("Ctrl+F7"), tr("Search no further: the final decides now")},
                              &TuningPanel::decide));
    for_project_.push_back(
        add(tr("&Adopt the configuration"),
            {"", QKeySequence("Ctrl+Shift+A"), tr("The tuning's configuration becomes the project's")},
            &TuningPanel::adopt));
}

void Menus::makeOptimizeActions(QMenu* menu) {
    const auto add = [&](const QString& text, const Actions::Look& look, void (DiagnosisPanel::*act)()) {
        return actions_.add(menu, text, look, [this, act] {
            Panels& panels = parts_.panels;
            panels.docks.raise(*panels.docks["diagnosis"]);
            (panels.diagnosis->*act)();
        });
    };
    for_device_.push_back(add(tr("&Optimise…"),
                              {"", QKeySequence("F8"),
                               tr("Make rounds by itself: diagnose, apply a strategy, verify, time, until the target")},
                              &DiagnosisPanel::optimize));
    for_device_.push_back(
        add(tr("App&ly the most promising strategy"),
            {"", QKeySequence("Shift+F8"), tr("The next round is made with what promises most for the selected one")},
            &DiagnosisPanel::applyBest));
}

template <class Window>
Window* Menus::shown() {
    auto* shown = window_.findChild<Window*>();
    if (shown == nullptr) shown = new Window(parts_.session, &window_);
    shown->show();
    shown->raise();
    shown->activateWindow();
    return shown;
}

void Menus::makeGateActions(QMenu* menu) {
    for_project_.push_back(actions_.add(
        menu, tr("&Gate…"),
        {"", QKeySequence("F9"), tr("Store how fast the kernel is, see whether it became slower, and the trend")},
        [this] { shown<GateWindow>(); }));
    for_device_.push_back(actions_.add(
        menu, tr("Chec&k the gate"),
        {"", QKeySequence("Shift+F9"), tr("Compare the kernel as it is now with what is stored; records no round")},
        [this] { shown<GateWindow>()->check(); }));
    for_project_.push_back(actions_.add(
        menu, tr("&What if…"),
        {"", QKeySequence("Ctrl+Shift+W"), tr("What the selected round's kernel would take on a device with less")},
        [this] { shown<WhatifWindow>(); }));
    actions_.add(menu, tr("Patter&ns…"),
                 {"", QKeySequence("Ctrl+Shift+K"), tr("What strategies gained before, by which they are ordered")},
                 [this] { shown<PatternsWindow>(); });
}

void Menus::makeBuildActions(QMenu* menu) {
    Session& session = parts_.session;
    QAction* build =
        actions_.add(menu, tr("B&uild"), {"", QKeySequence("Ctrl+B"), tr("Build the variant as it stands")},
                     [&session] { session.build(); });
    QAction* note =
        actions_.add(menu, tr("Write the &note"), {"", QKeySequence("Ctrl+Shift+N"), tr("Why the next round is made")},
                     [this] { parts_.run_bar.focusNote(); });
    for_project_.insert(for_project_.end(), {build, note});
}

/// Makes the actions that change tunables and sources as a whole.
void Menus::makeSourceActions(QMenu* menu) {
    Panels& panels = parts_.panels;
    QAction* best = actions_.add(menu, tr("Take the best round's &tunables"), {"", QKeySequence("Ctrl+Shift+B"), {}},
                                 [&panels] { panels.tunables->takeBest(); });
    QAction* reset = actions_.add(menu, tr("&Reset tunables"),
                                  {"reset", QKeySequence("Ctrl+Shift+0"), tr("The values that are saved")},
                                  [&panels] { panels.tunables->resetToProject(); });
    QAction* generate =
        actions_.add(menu, tr("&Generate sources"),
                     {"generate", QKeySequence("Ctrl+G"), tr("Write the generated sources again from the definition")},
                     [this] { parts_.files.generate(); });
    QAction* step = actions_.add(
        menu, tr("Bring &in step"),
        {"", QKeySequence("Ctrl+Shift+Y"), tr("Write stale files again and set tunables in place; leave edits alone")},
        [&panels] { panels.consistency->bringInStep(); });
    for_project_.insert(for_project_.end(), {best, reset, generate, step});
}

void Menus::makeRoundMenu() {
    QMenu* menu = actions_.menu(tr("R&ounds"));
    for_round_.push_back(actions_.add(
        menu, tr("&Restore the selected round"),
        {"restore", QKeySequence("Ctrl+R"), tr("Its tunables and sources become the project's; can be undone")},
        [this] { parts_.files.restoreRound(); }));
    RoundsPanel& rounds = *parts_.panels.rounds;
    for_round_.push_back(actions_.add(menu, tr("&Star the selected round, or end that"),
                                      {"", QKeySequence("Ctrl+Shift+T"), tr("Starred rounds stay on top of the table")},
                                      [&rounds] { rounds.toggleStar(); }));
    QAction* best = actions_.add(
        menu, tr("&Best rounds only"),
        {"", QKeySequence("Ctrl+Shift+H"), tr("Of each variant the best of the rounds that may be compared")},
        [this, &rounds] {
            parts_.panels.docks.raise(*parts_.panels.docks["rounds"]);
            rounds.setBestOnly(!rounds.isBestOnly());
        });
    best->setCheckable(true);
    connect(&rounds, &RoundsPanel::bestOnlyChanged, best, &QAction::setChecked);
    for_project_.push_back(best);
}

void Menus::makeToolBar() {
    auto* bar = window_.addToolBar(tr("Main toolbar"));
    bar->setObjectName("toolbar");
    bar->setIconSize({18, 18});
    bar->setMovable(false);
    bar->addActions({new_, open_, save_});
    bar->addSeparator();
    bar->addActions({run_, stop_});
    bar->addWidget(&parts_.run_bar);
    bar->addAction(export_);
    if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(run_))) {
        button->setObjectName("run_button");
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
}

void Menus::allow(const std::vector<QAction*>& actions, const QString& obstacle) {
    for (QAction* each : actions) {
        each->setEnabled(obstacle.isEmpty());
        actions_.explain(each, obstacle);
    }
}

void Menus::update() {
    Session& session = parts_.session;
    const bool open = session.document().isOpen(), running = session.engine().isRunning();
    const QString unopened = open ? QString() : tr("Open a project first");
    const QString busy = running ? tr("Something runs: wait for its end, or stop it (Ctrl+.)") : QString();
    const QString nothing_runs = session.whyNothingRuns();
    const QString obstacle = !nothing_runs.isEmpty() ? nothing_runs : !open ? unopened : busy;
    const bool tuning = session.engine().isTuning();
    allow(for_project_, unopened);
    allow(for_device_, obstacle);
    allow(for_present_queue_, !nothing_runs.isEmpty() ? nothing_runs : unopened);
    allow(for_queue_, unopened);  // for other devices too; its window says why there is none
    allow(for_run_, running ? QString() : tr("Nothing runs"));
    allow(for_tuning_, tuning ? QString() : tr("No tuning runs"));
    const bool is_to_continue = session.tunings().canContinue();
    const QString finished = is_to_continue ? QString() : tr("No tuning of the variant is left to go on with");
    allow({continue_}, tuning ? QString() : !obstacle.isEmpty() ? obstacle : finished);
    allow(for_round_, session.selectedRound() ? QString() : tr("Select a round first"));
    allow({save_}, session.document().isModified() ? QString() : tr("Nothing has changed since it was saved"));
}

}  // namespace kernelgen::studio

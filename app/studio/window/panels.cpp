// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/panels.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMouseEvent>
#include <QTabBar>
#include <QTabWidget>

#include "app/studio/assembly/assembly_panel.h"
#include "app/studio/charts/chart_area.h"
#include "app/studio/comparison/comparison_panel.h"
#include "app/studio/consistency/consistency_panel.h"
#include "app/studio/diagnosis/diagnosis_panel.h"
#include "app/studio/operator/operator_panel.h"
#include "app/studio/queue/queue_panel.h"
#include "app/studio/reports/log_preview.h"
#include "app/studio/reports/problems_panel.h"
#include "app/studio/reports/run_log_panel.h"
#include "app/studio/rounds/rounds_panel.h"
#include "app/studio/sources/source_tabs.h"
#include "app/studio/tunables/tunables_panel.h"
#include "app/studio/tuning/tuning_panel.h"

namespace kernelgen::studio {

namespace {

constexpr double popped_share = 0.7;  ///< of the window's size, for charts in a window of their own

}  // namespace

Panels::Panels(QMainWindow& window, Session& session)
    : QObject(&window),
      docks(window),
      definition(new OperatorPanel(session)),
      tunables(new TunablesPanel(session)),
      sources(new SourceTabs(session)),
      charts(new ChartArea(session)),
      rounds(new RoundsPanel(session)),
      diagnosis(new DiagnosisPanel(session)),
      tuning(new TuningPanel(session)),
      problems(new ProblemsPanel(session)),
      consistency(new ConsistencyPanel(session)),
      comparison(new ComparisonPanel(session)),
      run_log(new RunLogPanel(session)),
      log_preview(new LogPreview(session)),
      assembly(new AssemblyPanel(session)),
      queue(new QueuePanel(session)),
      window_(window),
      session_(session) {
    addDocks();
    leadToPlaces();
    linkAssembly();
    countProblems();
    followRuns();
    enlargeByTabs();
}

void Panels::addDocks() {
    using enum Docks::Place;
    docks.add("operator", tr("Operator"), definition, left);
    docks.add("tunables", tr("Tunables"), tunables, right);
    docks.add("rounds", tr("Rounds"), rounds, below);
    docks.add("queue", tr("Queue"), queue, below);
    docks.add("diagnosis", tr("Diagnosis"), diagnosis, below);
    docks.add("tuning", tr("Tuning"), tuning, below);
    docks.add("problems", tr("Problems"), problems, below);
    docks.add("consistency", tr("Consistency"), consistency, below);
    docks.add("comparison", tr("Comparison"), comparison, below);
    docks.add("run_log", tr("Run log"), run_log, below);
    docks.add("log_preview", tr("Log preview"), log_preview, below);
    docks.add("charts", tr("Charts"), charts, between);
    docks.add("assembly", tr("Assembly"), assembly, beside);
}

void Panels::leadToPlaces() {
    connect(problems, &ProblemsPanel::goToDefinition, this, &Panels::goToDefinition);
    connect(problems, &ProblemsPanel::goToSource, this, &Panels::goToSource);
    connect(consistency, &ConsistencyPanel::goToDefinition, this, &Panels::goToDefinition);
    connect(consistency, &ConsistencyPanel::goToSource, this, &Panels::goToSource);
    connect(tunables, &TunablesPanel::goToSource, this, &Panels::goToSource);
    connect(charts, &ChartArea::goToSource, this, &Panels::goToSource);
    connect(diagnosis, &DiagnosisPanel::goToSource, this, &Panels::goToSource);
    connect(diagnosis, &DiagnosisPanel::goalsWanted, this, &Panels::goalsWanted);
    connect(diagnosis, &DiagnosisPanel::restoreWanted, this, &Panels::restoreWanted);
    connect(tunables, &TunablesPanel::settingsWanted, this, &Panels::settingsWanted);
    connect(consistency, &ConsistencyPanel::settingsWanted, this, &Panels::settingsWanted);
    connect(consistency, &ConsistencyPanel::done, this, &Panels::told);
    connect(rounds, &RoundsPanel::restoreWanted, this, &Panels::restoreWanted);
    connect(log_preview, &LogPreview::exportWanted, this, &Panels::exportWanted);
    session_.tuningChoices().setShown(false);
    // This object receives the signal. It goes before the panels do, so they are not told while the window is
    // destroyed.
    connect(docks["tuning"], &QDockWidget::visibilityChanged, this,
            [this](bool shown) { session_.tuningChoices().setShown(shown); });
}

/// Links the sources with their code, both ways, while it is shown.
void Panels::linkAssembly() {
    connect(assembly, &AssemblyPanel::goToSource, this, &Panels::goToSource);
    connect(assembly, &AssemblyPanel::coloursChanged, sources, &SourceTabs::setLinked);
    connect(assembly, &AssemblyPanel::lineChosen, sources, &SourceTabs::showLinked);
    connect(sources, &SourceTabs::cursorMoved, assembly, &AssemblyPanel::followSource);
    connect(docks["assembly"], &QDockWidget::visibilityChanged, this,
            [this](bool shown) { assembly->setShown(shown); });
}

/// Shows counts in the docks' titles. The docks receive the signals, since texts tell of changes even while the window
/// is destroyed.
void Panels::countProblems() {
    connect(problems, &ProblemsPanel::countChanged, docks["problems"], [dock = docks["problems"]](int errors) {
        dock->setWindowTitle(errors == 0 ? tr("Problems") : tr("Problems (%1)").arg(errors));
    });
    emit problems->countChanged(problems->errors());
    connect(&session_.queue(), &RunQueue::changed, docks["queue"], [this, dock = docks["queue"]] {
        const int waiting = session_.queue().waiting();
        dock->setWindowTitle(waiting == 0 ? tr("Queue") : tr("Queue (%1)").arg(waiting));
    });
    connect(consistency, &ConsistencyPanel::countChanged, docks["consistency"],
            [dock = docks["consistency"]](int count) {
                dock->setWindowTitle(count == 0 ? tr("Consistency") : tr("Consistency (%1)").arg(count));
            });
}

/// Brings the panel of what has ended to the front, unless somebody has closed that panel.
void Panels::followRuns() {
    connect(&session_, &Session::refused, this, [this] { docks["problems"]->raise(); });
    connect(&session_.engine(), &Engine::runFinished, this, [this](const RunOutcome& outcome) {
        if (session_.queue().isRunning()) return;  // of many, none calls
        if (outcome.recorded && !docks.isInFront(*docks["diagnosis"])) docks["rounds"]->raise();
    });
    connect(&session_.engine(), &Engine::comparisonFinished, this, [this] {
        docks["comparison"]->raise();
        charts->showComparison();
    });
}

void Panels::enlargeByTabs() {
    for (auto* tabs : sources->findChildren<QTabWidget*>()) {
        connect(tabs, &QTabWidget::tabBarDoubleClicked, this, [this] { docks.toggleWhole(nullptr); });
    }
    for (auto* tabs : charts->findChildren<QTabWidget*>()) {
        connect(tabs, &QTabWidget::tabBarDoubleClicked, this, [this] { docks.toggleWhole(docks["charts"]); });
    }
    qApp->installEventFilter(this);  // the tabs of docks come and go
}

bool Panels::eventFilter(QObject* watched, QEvent* event) {
    auto* bar = event->type() == QEvent::MouseButtonDblClick ? qobject_cast<QTabBar*>(watched) : nullptr;
    if (bar == nullptr || bar->parent() != &window_) return QObject::eventFilter(watched, event);
    const int tab = bar->tabAt(static_cast<QMouseEvent*>(event)->position().toPoint());
    for (QDockWidget* each : docks.all()) {
        if (tab < 0 || bar->tabText(tab) != each->windowTitle() || each->isHidden()) continue;
        docks.toggleWhole(each);
        return true;
    }
    return false;
}

void Panels::toggleWhole() { docks.toggleWhole(docks.around(QApplication::focusWidget())); }

void Panels::popCharts() {
    docks.endWhole();
    QDockWidget& dock = *docks["charts"];
    const bool back = dock.isFloating() && dock.isVisible();
    dock.setFloating(!back);
    docks.raise(dock);
    if (back) return;
    dock.resize(window_.size() * popped_share);
    dock.activateWindow();
}

void Panels::showSources() {
    if (!sources->isVisible()) docks.endWhole();
}

void Panels::goToSource(const QString& file, int line, int column) {
    showSources();
    sources->goTo(file, line, column);
}

void Panels::goToDefinition(const QString& where) {
    docks.raise(*docks["operator"]);
    definition->goTo(where);
}

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/session/session.h"
#include "app/studio/window/docks.h"
#include "core/report/report.h"

namespace kernelgen::studio {

class AssemblyPanel;
class ChartArea;
class ComparisonPanel;
class ConsistencyPanel;
class DiagnosisPanel;
class LogPreview;
class OperatorPanel;
class ProblemsPanel;
class QueuePanel;
class RoundsPanel;
class RunLogPanel;
class SourceTabs;
class TunablesPanel;
class TuningPanel;

/// The panels of a window in their docks, the sources for its middle, and what leads from one to another.
class Panels : public QObject {
    Q_OBJECT

public:
    Panels(QMainWindow& window, Session& session);

    Docks docks;
    OperatorPanel* const definition;
    TunablesPanel* const tunables;
    SourceTabs* const sources;
    ChartArea* const charts;
    RoundsPanel* const rounds;
    DiagnosisPanel* const diagnosis;
    TuningPanel* const tuning;
    ProblemsPanel* const problems;
    ConsistencyPanel* const consistency;
    ComparisonPanel* const comparison;
    RunLogPanel* const run_log;
    LogPreview* const log_preview;
    AssemblyPanel* const assembly;
    QueuePanel* const queue;

    void showSources();  ///< where another part fills the window
    void showProblems() { docks.raise(*docks["problems"]); }
    /// The part with the focus fills the window, or no longer does.
    void toggleWhole();
    void popCharts();  ///< into a window of their own, or back

signals:
    void settingsWanted();  ///< to name a Python interpreter
    void goalsWanted();     ///< to change the indicators' goals
    void restoreWanted();   ///< of the selected round
    void exportWanted(kernelgen::Tongue tongue);
    void told(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addDocks();
    void leadToPlaces();
    void countProblems();
    void followRuns();
    void enlargeByTabs();
    void linkAssembly();
    void goToSource(const QString& file, int line, int column);
    void goToDefinition(const QString& where);

    QMainWindow& window_;
    Session& session_;
};

}  // namespace kernelgen::studio

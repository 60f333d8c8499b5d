// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <string>

#include "app/studio/application/settings.h"
#include "app/studio/document/disk_watch.h"
#include "app/studio/document/project_document.h"
#include "app/studio/document/recovery.h"
#include "app/studio/engine/engine.h"
#include "app/studio/session/build_messages.h"
#include "app/studio/session/comparisons.h"
#include "app/studio/session/diagnoses.h"
#include "app/studio/session/gate_actions.h"
#include "app/studio/session/gates.h"
#include "app/studio/session/model_study.h"
#include "app/studio/session/optimization_story.h"
#include "app/studio/session/pruned_listing.h"
#include "app/studio/session/round_store.h"
#include "app/studio/session/rules.h"
#include "app/studio/session/run_log.h"
#include "app/studio/session/run_queue.h"
#include "app/studio/session/strategy_actions.h"
#include "app/studio/session/tuning_actions.h"
#include "app/studio/session/tuning_choices.h"
#include "app/studio/session/tunings.h"

namespace kernelgen::studio {

/// The Python that is used where the settings name none: $KERNELGEN_PYTHON as this program was started with, or
/// python3.
QString defaultPython();

/// The state that the parts of the window share: the open project, its rounds, the engine, and the user's choices. It
/// outlives the window, which is made again when the language changes. Lives in the GUI thread.
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(Settings& settings, QObject* parent = nullptr);

    Settings& settings() { return settings_; }
    ProjectDocument& document() { return document_; }
    Recovery& recovery() { return recovery_; }
    DiskWatch& diskWatch() { return disk_watch_; }
    RoundStore& rounds() { return rounds_; }
    Comparisons& comparisons() { return comparisons_; }
    Tunings& tunings() { return tunings_; }
    TuningChoices& tuningChoices() { return tuning_choices_; }
    Rules& rules() { return rules_; }
    PrunedListing& prunedListing() { return pruned_listing_; }
    Diagnoses& diagnoses() { return diagnoses_; }
    OptimizationStory& story() { return story_; }
    Gates& gates() { return gates_; }
    Engine& engine() { return engine_; }
    RunQueue& queue() { return queue_; }
    ModelStudy& model() { return model_; }
    GateActions& gateActions() { return gate_actions_; }
    StrategyActions& strategyActions() { return strategy_actions_; }
    TuningActions& tuningActions() { return tuning_actions_; }
    RunLog& log() { return log_; }
    BuildMessages& messages() { return messages_; }

    /// Starts the worker as the settings say.
    void applyWorkerSettings();
    /// Opens and remembers a project. Diagnostics go to the log, and are returned.
    Diagnostics open(const QString& path);

    /// The chosen candidate; null where no project is open, or no variant runs on the device.
    const Variant* variant() const;
    QString variantName() const { return variant_; }
    void setVariant(const QString& name);
    QString device() const { return device_; }
    void setDevice(const QString& name);
    /// The device's measured ceilings; unmeasured where there are none.
    const Ceilings& ceilings() const;
    /// The numbers of the device that launches may name; empty while its worker has not told them.
    Sizes deviceNumbers() const;

    std::optional<int> selectedRound() const { return selected_round_; }
    void selectRound(std::optional<int> number);

    /// Why nothing runs on the device: it is a model that kernels are only built for, or its driver is missing; ""
    /// where something may run.
    QString whyNothingRuns() const { return whyNothingRuns(device_); }
    /// An advice to run something (F5, F6) or, where nothing runs on the device, why.
    QString adviceToRun(const QString& advice) const;
    /// What F5 would run now: project and sources as edited. Errors say why nothing can run.
    Validated<RunPlan> plan() const { return planOn(device_); }
    Validated<RunPlan> planOn(const QString& device) const;  ///< the same on another device
    /// Errors of the project and its sources, because of which nothing can run.
    Diagnostics obstacles() const { return obstacles(device_); }
    /// Puts the sources as edited in place of those on disk. Errors: a file that cannot be taken.
    Result<void> takeTexts(RunPlan& plan) const;
    void run(const QString& note);
    void enqueue(const QString& note);  ///< what F5 would run now, behind what is queued
    void verify();
    void compare();  ///< every variant that runs on the device, each against the same baseline
    /// Requests a build of the present variant, for the first case's dtype, because the user asked for it.
    void build();
    /// Requests the same build without the user's request: a Python source that a person wrote or edited is then only
    /// read, not executed.
    void buildInBackground();
    void setWantsTexts(bool wants) { wants_texts_ = wants; }  ///< of the built code, with builds from now on
    /// Restores a round's configuration and sources into the project, undoable; the round becomes the parent of the
    /// variant's next round.
    Diagnostics restoreRound(int number);

signals:
    void variantChanged();  ///< another variant, or the same on another device
    void selectedRoundChanged();
    void refused(const QString& why);  ///< a run or build that could not start
    void pythonChanged();              ///< another interpreter

private:
    friend class RestoreCommand;
    QString whyNothingRuns(const QString& device) const;
    Diagnostics obstacles(const QString& device) const;
    void takeOutcome(const RunOutcome& outcome);
    void takeBuild(const BuildOutcome& outcome);
    void takeComparison(const ComparisonOutcome& outcome);
    void requestBuild(bool asked);
    void chooseVariant();
    void reportFiles();

    Settings& settings_;
    ProjectDocument document_;
    Recovery recovery_;
    DiskWatch disk_watch_;
    RoundStore rounds_;
    Comparisons comparisons_;
    Tunings tunings_;
    TuningChoices tuning_choices_{document_.undoStack()};
    Diagnoses diagnoses_{document_, rounds_};
    OptimizationStory story_;
    Gates gates_;
    Engine engine_;
    RunQueue queue_{engine_};
    ModelStudy model_{engine_};
    RunLog log_;
    BuildMessages messages_;
    Rules rules_{document_, tunings_, engine_, log_};
    PrunedListing pruned_listing_{document_, tunings_};
    QString variant_, device_;
    std::optional<int> selected_round_;
    bool wants_texts_ = false;
    std::map<std::string, int> restored_;  ///< by variant, the round it was restored to since its last run
    GateActions gate_actions_{*this};
    StrategyActions strategy_actions_{*this};
    TuningActions tuning_actions_{*this};
};

}  // namespace kernelgen::studio

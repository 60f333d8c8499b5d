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
#include "app/studio/session/gates.h"
#include "app/studio/session/model_study.h"
#include "app/studio/session/optimization_story.h"
#include "app/studio/session/pruned_listing.h"
#include "app/studio/session/round_store.h"
#include "app/studio/session/rules.h"
#include "app/studio/session/run_log.h"
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
    ModelStudy& model() { return model_; }
    RunLog& log() { return log_; }
    BuildMessages& messages() { return messages_; }

    /// Starts the worker as the settings say.
    void applyWorkerSettings();
    /// Opens and remembers a project. Diagnostics go to the log, and are returned.
    Diagnostics open(const QString& path);

    /// The chosen candidate; null where no project is open, or no variant runs on the device.
    const Variant* variant() const;
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
    QString whyNothingRuns() const;
    /// An advice to run something (F5, F6) or, where nothing runs on the device, why.
    QString adviceToRun(const QString& advice) const;
    /// What F5 would run now: project and sources as edited. Errors say why nothing can run.
    Validated<RunPlan> plan() const;
    void run(const QString& note);
    void verify();
    void compare();  ///< every variant that runs on the device, each against the same baseline
    /// Tunes the variant on the device, or goes on with the last tuning where the options say so. Strategy, objective,
    /// budget and cases are read of the options; the values that take part are those of `tuningChoices()`.
    void tune(TuneOptions options);
    /// Makes a configuration of the tuning that is shown the project's, and saves that; can be undone.
    void adopt(const Configuration& configuration);
    void adoptRules();  ///< those that are proposed, once they are verified; can be undone
    /// Makes the next round of a round's variant with a strategy, as if that round were the present state. Files stay
    /// as they are, but for a generated variant that the project lacks.
    void apply(std::shared_ptr<const RoundDetail> before, const Proposal& proposal);
    QString whyNotApplied(const RoundDetail& before, const Proposal& proposal) const;  ///< "" where it can be applied
    /// Saves the project, and makes rounds of the chosen variant on the device by itself. Variant and device of the
    /// options are not read.
    void optimize(OptimizeOptions options);
    QString whyNotOptimized() const;  ///< "" where it can begin
    void recordGate();                ///< runs a round of the variant, and makes it the gate's stored baseline
    /// Compares the variant as it is now with the stored baseline. `threshold`: the smallest change that counts, as a
    /// share; nothing: stored, or learned from earlier checks.
    void checkGate(std::optional<double> threshold);
    QString whyNotGated() const;    ///< "" where a round can be recorded
    QString whyNotChecked() const;  ///< "" where a check can begin
    /// Requests a build of the present variant, for the first case's dtype, because the user asked for it.
    void build();
    /// Requests the same build without the user's request: a Python source that a person wrote or edited is then only
    /// read, not executed.
    void buildInBackground();
    void setWantsTexts(bool wants) { wants_texts_ = wants; }  ///< PTX and the like, with builds from now on
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
    void takeOutcome(const RunOutcome& outcome);
    void takeBuild(const BuildOutcome& outcome);
    void takeTuning(const TuningEnd& end);
    void followStrategies();
    void takeOptimization(const OptimizationEnd& end);
    void followGate();
    void takeGate(const GateEnd& end);
    QString whyNothingIsApplied(const RoundDetail& before) const;
    bool adoptOnCase(const Tuning& tuning, const Configuration& configuration);
    void takeComparison(const ComparisonOutcome& outcome);
    Diagnostics obstacles() const;
    Result<void> takeTexts(RunPlan& plan) const;
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
    ModelStudy model_{engine_};
    RunLog log_;
    BuildMessages messages_;
    Rules rules_{document_, tunings_, engine_, log_};
    PrunedListing pruned_listing_{document_, tunings_};
    QString variant_, device_;
    std::optional<int> selected_round_;
    bool wants_texts_ = false;
    std::map<std::string, int> restored_;  ///< by variant, the round it was restored to since its last run
};

}  // namespace kernelgen::studio

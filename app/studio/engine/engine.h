// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "app/studio/engine/outcomes.h"
#include "app/studio/engine/worker_link.h"
#include "core/engine/compare.h"

namespace kernelgen::studio {

/// Sends requests to the worker and emits its answers in the GUI thread; other threads wait for the worker. One run at
/// a time. Builds run at the same time as a run, and a new build request replaces older ones.
class Engine : public QObject {
    Q_OBJECT

public:
    explicit Engine(QObject* parent = nullptr);
    ~Engine() override;  ///< stops what is under way and waits for it

    /// Sets how workers are started from now on; a running worker is replaced when it is idle.
    void setWorker(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment);

    bool isRunning() const { return running_; }
    bool isMakingRound() const { return making_round_; }  ///< whether the present run will be recorded
    void startRun(RunPlan plan);
    void startVerification(RunPlan plan);
    void startComparison(ComparisonPlan plan, std::filesystem::path folder);  ///< kept in the project's folder
    bool isComparing() const { return comparing_; }
    void startApplied(AppliedPlan plan);  ///< makes the next round with a strategy; ends with `runFinished`
    void startOptimization(OptimizePlan plan);
    void startGateRecord(RunPlan plan);  ///< ends with `runFinished`, then `gateFinished`
    void startGateCheck(RunPlan plan, StoredBaseline stored, GateOptions options);
    void startTuning(TunePlan plan);
    bool isTuning() const { return tuning_; }
    void decideTuning();                                                     ///< searches no further: the final follows
    bool isDeciding() const { return tuning_ && enough_.stop_requested(); }  ///< because that was asked for
    void measureCeilings(const QString& device);
    void askModel(ModelRequest request);  ///< what its operators take, or a project of some of them
    void stop();     ///< what runs, which then ends `cancelled`; somebody wants quiet, so nothing is to follow
    void stopRun();  ///< the same, and others may follow
    void stopAndWait();

    void requestBuild(BuildRequest request);
    bool isBuilding() const { return building_; }
    /// Builds beside all others, such as what a round was built of; ends with `builtBeside`. A newer request replaces
    /// it.
    void buildBeside(BuildRequest request);

    void refreshDevices();
    const std::vector<WorkerDevice>& devices() const { return devices_; }
    const WorkerDevice* device(const QString& name) const;

signals:
    void runStarted();
    /// Emitted at most about twenty times a second. `total` is 0 where the number of steps is unknown.
    void runProgressed(const QString& stage, int done, int total);
    void runFinished(const kernelgen::studio::RunOutcome& outcome);
    void runningChanged();
    void stopWanted();  ///< by `stop`
    /// After each variant, and at the end, with what was compared until then.
    void compared(const std::shared_ptr<const kernelgen::Comparison>& comparison);
    void comparisonFinished(const kernelgen::studio::ComparisonOutcome& outcome);
    /// Emitted with every result, and otherwise at most about twenty times a second.
    void tuningProgressed(const std::shared_ptr<const kernelgen::studio::TuningNews>& news);
    void tuningFinished(const kernelgen::studio::TuningEnd& end);
    /// After each recorded round.
    void optimizationProgressed(const std::shared_ptr<const kernelgen::studio::OptimizationNews>& news);
    void optimizationFinished(const kernelgen::studio::OptimizationEnd& end);
    void gateFinished(const kernelgen::studio::GateEnd& end);
    void modelAnswered(const kernelgen::studio::ModelOutcome& outcome);
    /// `problem`: why there are none that count, as the engine says it; "" where there are.
    void ceilingsMeasured(const QString& device, const QString& problem);
    void buildStarted();
    /// Emitted when the run waits for another process, and when it goes on; the stage is as in `runProgressed`.
    void buildProgressed(const QString& stage);
    void buildFinished(const kernelgen::studio::BuildOutcome& outcome);
    void builtBeside(const kernelgen::BuildResult& result);
    void devicesChanged();
    void devicesFailed(const QString& problem);

private:
    using Answer = std::function<void()>;  ///< called in the GUI thread
    using Job = std::function<Answer(WorkerLink& link, const Progress& progress, std::stop_token stop)>;
    void launch(std::jthread& thread, Job job);
    void occupy(bool makesRound, Job job);  ///< the run's thread
    void release();
    void run(RunPlan plan, bool verifyOnly);
    void finish(const RunOutcome& outcome);
    Progress throttledProgress();
    TuneProgress throttledNews();
    void tell(std::shared_ptr<const TuningNews> news);
    void buildNext();
    void buildNextBeside();
    void takeDevices(const Result<std::vector<WorkerDevice>>& devices);

    std::shared_ptr<WorkerLink> link_;
    std::vector<WorkerDevice> devices_;
    bool asking_devices_ = false, ask_devices_again_ = false;
    bool running_ = false;
    bool making_round_ = false;
    bool tuning_ = false, comparing_ = false;
    bool building_ = false;
    bool building_beside_ = false;
    std::stop_source enough_;  ///< of the present tuning
    std::optional<BuildRequest> waiting_build_, waiting_beside_;
    std::jthread run_thread_, build_thread_, beside_thread_, devices_thread_;
};

}  // namespace kernelgen::studio

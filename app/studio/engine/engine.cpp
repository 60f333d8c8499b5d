// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/engine/engine.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <chrono>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/base/sentences.h"
#include "core/engine/explain_failure.h"
#include "core/gate/gate_store.h"
#include "core/optimize/make_round.h"
#include "core/round/history.h"

namespace kernelgen::studio {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto progress_interval = std::chrono::milliseconds(50);
constexpr double search_seconds = 60;  ///< of a search that is applied as one round
constexpr int most_news = 1000;        ///< results of a tuning that the GUI thread takes in one turn

RunOutcome perform(const RunPlan& plan, bool verify_only, WorkerLink& link, const Progress& progress,
                   std::stop_token stop) {
    RunOutcome outcome{.verify_only = verify_only, .detail = {}, .problem = {}};
    const auto client = link.client();
    if (!client) {
        outcome.problem = inWords(client.error().message);
        outcome.no_device = true;
        return outcome;
    }
    if (verify_only) {
        outcome.detail.candidate = plan.candidate;
        outcome.detail.verification = verify_candidate(plan, **client, progress, stop);
        outcome.detail.round.status = outcome.detail.verification.status;
        outcome.detail.round.reason = outcome.detail.verification.reason;
        outcome.detail.explanation = explain_failure(plan, outcome.detail.verification, **client, progress, stop);
        return outcome;
    }
    outcome.detail = run_round(plan, **client, progress, stop);
    if (was_refused(outcome.detail)) {
        outcome.no_device = true;
        outcome.problem = Engine::tr("No round was recorded: %1").arg(inWords(outcome.detail.round.reason));
        return outcome;
    }
    const Result<void> recorded = record_round(plan.project.folder, outcome.detail, plan.options.parent);
    outcome.recorded = recorded.has_value();
    if (!recorded)
        outcome.problem = Engine::tr("The round was not recorded: %1").arg(inWords(recorded.error().message));
    return outcome;
}

/// Errors: nothing was recorded.
Result<RoundDetail> makeApplied(const AppliedPlan& plan, WorkerClient& client, const Progress& progress,
                                std::stop_token stop) {
    WorkerEngine engine(client, progress, std::nullopt, stop);
    RunPlan run = engine.with_numbers(plan.run);
    Result<MadeRound> made = make_round(run, *plan.before, plan.proposal, engine, search_seconds);
    if (stop.stop_requested()) return fail(Engine::tr("stopped").toStdString());
    if (!made) return std::unexpected(made.error());
    if (was_refused(made->detail)) return fail(made->detail.round.reason);
    const auto recorded = record_applied(run.project, made->detail, plan.before->round, true);
    if (!recorded) return std::unexpected(recorded.error());
    return std::move(made->detail);
}

RunOutcome performApplied(const AppliedPlan& plan, WorkerLink& link, const Progress& progress, std::stop_token stop) {
    RunOutcome outcome;
    const auto client = link.client();
    Result<RoundDetail> made = client ? makeApplied(plan, **client, progress, stop) : std::unexpected(client.error());
    outcome.recorded = made.has_value();
    if (made) outcome.detail = std::move(*made);
    else outcome.problem = Engine::tr("No round was recorded: %1").arg(inWords(made.error().message));
    return outcome;
}

OptimizationEnd optimizeAll(const OptimizePlan& plan, WorkerLink& link, const Progress& progress,
                            const OptimizedSoFar& so_far, std::stop_token stop) {
    const auto client = link.client();
    if (!client) return {nullptr, inWords(client.error().message)};
    WorkerEngine engine(**client, progress, oldest_learnt(plan), stop);
    Result<Optimization> done = optimize(plan, engine, so_far, stop);
    if (!done) return {nullptr, inWords(done.error().message)};
    if (was_refused(done->start))
        return {nullptr, Engine::tr("No round was recorded: %1").arg(inWords(done->start.round.reason))};
    return {std::make_shared<const Optimization>(std::move(*done)), {}};
}

GateEnd storedRound(const RunPlan& plan, const RunOutcome& outcome) {
    if (!outcome.recorded) return {{}, {}, outcome.problem};
    Result<StoredBaseline> stored = store_baseline(plan.project.folder, outcome.detail);
    if (!stored) return {{}, {}, Engine::tr("Nothing was stored: %1").arg(inWords(stored.error().message))};
    return {std::move(*stored), {}, {}};
}

GateEnd checkGate(const RunPlan& plan, const StoredBaseline& stored, const GateOptions& options, WorkerLink& link,
                  const Progress& progress, std::stop_token stop) {
    const auto client = link.client();
    if (!client) return {{}, {}, inWords(client.error().message)};
    auto [check, kept, warning] = check_and_keep(plan, stored, options, **client, progress, stop);
    if (stop.stop_requested()) return {{}, {}, Engine::tr("the check was stopped")};
    GateEnd end{{}, std::move(check), {}};
    if (!kept) end.problem = Engine::tr("The check was not kept: %1").arg(inWords(kept.error().message));
    return end;
}

TuningEnd tuneAll(const TunePlan& plan, WorkerLink& link, const TuneProgress& progress, std::stop_token stop) {
    TuningEnd end;
    const auto client = link.client();
    if (!client) return {{}, false, inWords(client.error().message)};
    if (const auto nothing = nothing_to_tune(plan, **client, stop)) return {{}, false, inWords(nothing->message)};
    Result<std::vector<CaseTuning>> done = tune(plan, **client, progress, stop);
    if (done) end.cases = std::move(*done);
    else end.problem = inWords(done.error().message);
    end.stopped = stop.stop_requested();
    return end;
}

std::shared_ptr<const TuningNews> newsOf(const TuneState& state, std::span<const Tried> tried) {
    auto news = std::make_shared<TuningNews>();
    news->state = state;
    news->state.head = nullptr;
    news->state.news = {};
    if (state.head != nullptr) news->head = *state.head;
    news->tried.assign(tried.begin(), tried.end());
    return news;
}

}  // namespace

Engine::Engine(QObject* parent) : QObject(parent) {}

Engine::~Engine() {
    for (std::jthread* thread : {&run_thread_, &build_thread_, &beside_thread_, &devices_thread_})
        thread->request_stop();
    for (std::jthread* thread : {&run_thread_, &build_thread_, &beside_thread_, &devices_thread_}) {
        if (thread->joinable()) thread->join();
    }
}

void Engine::setWorker(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment) {
    link_ = std::make_shared<WorkerLink>(command, environment);
    refreshDevices();
}

/// Runs `job` in `thread`, which has nothing else to do, and its answer in this object's thread.
void Engine::launch(std::jthread& thread, Job job) {
    if (thread.joinable()) thread.join();
    thread = std::jthread([this, link = link_, job = std::move(job)](std::stop_token stop) {
        Answer answer = job(*link, throttledProgress(), stop);
        QMetaObject::invokeMethod(this, std::move(answer), Qt::QueuedConnection);
    });
}

Progress Engine::throttledProgress() {
    auto last = std::make_shared<std::pair<std::string, Clock::time_point>>();
    return [this, last](std::string_view stage, int done, int total) {
        const auto now = Clock::now();
        if (stage == last->first && done != total && now - last->second < progress_interval) return;
        *last = {std::string(stage), now};
        QMetaObject::invokeMethod(
            this, [this, text = toQt(stage), done, total] { emit runProgressed(text, done, total); },
            Qt::QueuedConnection);
    };
}

void Engine::occupy(bool makesRound, Job job) {
    if (running_) return;
    running_ = true;
    making_round_ = makesRound;
    emit runningChanged();
    emit runStarted();
    launch(run_thread_, std::move(job));
}

void Engine::release() {
    running_ = making_round_ = false;
    emit runningChanged();
}

void Engine::startRun(RunPlan plan) { run(std::move(plan), false); }

void Engine::startVerification(RunPlan plan) { run(std::move(plan), true); }

void Engine::run(RunPlan plan, bool verifyOnly) {
    const auto job = [this, plan = std::move(plan), verifyOnly](WorkerLink& link, const Progress& progress,
                                                                std::stop_token stop) {
        auto outcome = std::make_shared<RunOutcome>(perform(plan, verifyOnly, link, progress, stop));
        return [this, outcome] { finish(*outcome); };
    };
    occupy(!verifyOnly, job);
}

void Engine::finish(const RunOutcome& outcome) {
    release();
    emit runFinished(outcome);
    refreshDevices();  // a first run measures the ceilings
}

void Engine::startApplied(AppliedPlan plan) {
    const auto job = [this, plan = std::move(plan)](WorkerLink& link, const Progress& progress,
                                                    std::stop_token stop) -> Answer {
        auto outcome = std::make_shared<RunOutcome>(performApplied(plan, link, progress, stop));
        return [this, outcome] { finish(*outcome); };
    };
    occupy(true, job);
}

void Engine::startOptimization(OptimizePlan plan) {
    const auto job = [this, plan = std::move(plan)](WorkerLink& link, const Progress& progress,
                                                    std::stop_token stop) -> Answer {
        const OptimizedSoFar so_far = [this](const RoundDetail& recorded, const Proposal* next) {
            auto news = std::make_shared<OptimizationNews>(OptimizationNews{recorded.round, {}});
            if (next != nullptr) news->next = *next;
            QMetaObject::invokeMethod(this, [this, news] { emit optimizationProgressed(news); }, Qt::QueuedConnection);
        };
        auto end = std::make_shared<OptimizationEnd>(optimizeAll(plan, link, progress, so_far, stop));
        return [this, end] {
            release();
            emit optimizationFinished(*end);
            refreshDevices();
        };
    };
    occupy(true, job);
}

void Engine::startGateRecord(RunPlan plan) {
    const auto job = [this, plan = std::move(plan)](WorkerLink& link, const Progress& progress,
                                                    std::stop_token stop) -> Answer {
        auto outcome = std::make_shared<RunOutcome>(perform(plan, false, link, progress, stop));
        auto end = std::make_shared<GateEnd>(storedRound(plan, *outcome));
        return [this, outcome, end] {
            finish(*outcome);
            emit gateFinished(*end);
        };
    };
    occupy(true, job);
}

void Engine::startGateCheck(RunPlan plan, StoredBaseline stored, GateOptions options) {
    const auto job = [this, plan = std::move(plan), stored = std::move(stored), options](
                         WorkerLink& link, const Progress& progress, std::stop_token stop) -> Answer {
        auto end = std::make_shared<GateEnd>(checkGate(plan, stored, options, link, progress, stop));
        return [this, end] {
            release();
            emit gateFinished(*end);
            refreshDevices();
        };
    };
    occupy(false, job);
}

/// Starts a comparison. One that is stopped is shown, but does not replace a whole one.
void Engine::startComparison(ComparisonPlan plan, std::filesystem::path folder) {
    if (running_) return;
    comparing_ = true;
    const auto job = [this, plan = std::move(plan), folder = std::move(folder)](
                         WorkerLink& link, const Progress& progress, std::stop_token stop) -> Answer {
        auto outcome = std::make_shared<ComparisonOutcome>();
        outcome->wanted = plan.runs.size();
        if (const auto client = link.client(); !client) {
            outcome->problem = inWords(client.error().message);
        } else {
            const auto tell = [this](const Comparison& so_far) {
                QMetaObject::invokeMethod(
                    this, [this, copy = std::make_shared<const Comparison>(so_far)] { emit compared(copy); },
                    Qt::QueuedConnection);
            };
            outcome->comparison = std::make_shared<const Comparison>(compare(plan, **client, progress, tell, stop));
            const Result<void> kept = stop.stop_requested() ? fail(tr("stopped").toStdString())
                                                            : save_comparison(folder, *outcome->comparison);
            outcome->kept = kept.has_value();
            if (!kept) outcome->problem = tr("The comparison was not kept: %1").arg(inWords(kept.error().message));
        }
        return [this, outcome] {
            comparing_ = false;
            release();
            emit comparisonFinished(*outcome);
            refreshDevices();
        };
    };
    occupy(false, job);
}

/// Passes news of a tuning to the window. Every result is passed on, many of them in several turns of the event loop;
/// news that only say that time passes are passed on now and then.
TuneProgress Engine::throttledNews() {
    auto last = std::make_shared<std::pair<std::string, Clock::time_point>>();
    return [this, last](const TuneState& state) {
        const auto now = Clock::now();
        if (state.news.empty() && state.stage == last->first && now - last->second < progress_interval) return;
        *last = {state.stage, now};
        std::span<const Tried> left = state.news;
        do {
            const auto part = left.first(std::min<std::size_t>(left.size(), most_news));
            left = left.subspan(part.size());
            tell(newsOf(state, part));
        } while (!left.empty());
    };
}

void Engine::tell(std::shared_ptr<const TuningNews> news) {
    const auto told = [this, news = std::move(news)] {
        emit tuningProgressed(news);
        emit runProgressed(QStringLiteral("tune"), 0, 0);
    };
    QMetaObject::invokeMethod(this, told, Qt::QueuedConnection);
}

void Engine::startTuning(TunePlan plan) {
    if (running_) return;
    tuning_ = true;
    enough_ = std::stop_source();
    plan.options.enough = enough_.get_token();
    occupy(false, [this, plan = std::move(plan)](WorkerLink& link, const Progress&, std::stop_token stop) -> Answer {
        auto end = std::make_shared<TuningEnd>(tuneAll(plan, link, throttledNews(), stop));
        return [this, end] {
            tuning_ = false;
            release();
            emit tuningFinished(*end);
            refreshDevices();
        };
    });
}

void Engine::decideTuning() { enough_.request_stop(); }

void Engine::measureCeilings(const QString& device) {
    occupy(false, [this, device](WorkerLink& link, const Progress& progress, std::stop_token stop) -> Answer {
        const auto client = link.client();
        QString problem = client ? QString() : inWords(client.error().message);
        if (client) {
            const auto measured = (*client)->measure_ceilings(device.toStdString(), progress, stop);
            if (!measured) problem = inWords(measured.error().message);
            else if (!measured->quiet) problem = toQt(sentences::ceilings_kept_briefly);
        }
        return [this, device, problem] {
            release();
            emit ceilingsMeasured(device, problem);
            refreshDevices();
        };
    });
}

void Engine::askModel(ModelRequest request) {
    const auto job = [this, request = std::move(request)](WorkerLink& link, const Progress& progress,
                                                          std::stop_token stop) -> Answer {
        auto outcome = std::make_shared<ModelOutcome>(ModelOutcome{request, {}});
        if (const auto client = link.client()) outcome->answer = (*client)->model(request, progress, stop);
        else outcome->answer = {Status::unavailable, client.error().message, {}};
        return [this, outcome] {
            release();
            emit modelAnswered(*outcome);
        };
    };
    occupy(false, job);
}

void Engine::stop() {
    if (running_) emit stopWanted();
    stopRun();
}

void Engine::stopRun() { run_thread_.request_stop(); }

void Engine::stopAndWait() {
    stopRun();
    if (run_thread_.joinable()) run_thread_.join();
    QCoreApplication::sendPostedEvents(this);
}

void Engine::requestBuild(BuildRequest request) {
    if (!link_) return;
    waiting_build_ = std::move(request);
    if (building_) build_thread_.request_stop();
    else buildNext();
}

void Engine::buildNext() {
    if (!waiting_build_) return;
    building_ = true;
    emit buildStarted();
    QElapsedTimer timer;
    timer.start();
    const auto request = std::make_shared<BuildRequest>(std::move(*waiting_build_));
    waiting_build_.reset();
    launch(build_thread_, [this, request, timer](WorkerLink& link, const Progress&, std::stop_token stop) -> Answer {
        const auto client = link.client();
        const auto outcome = std::make_shared<BuildOutcome>(BuildOutcome{
            .variant = request->implementation.variant.name,
            .configuration = request->implementation.configuration,
            .dtype = request->dtype,
            .result = {},
        });
        if (client) {
            const Progress progress = [this](std::string_view stage, int, int) {
                QMetaObject::invokeMethod(
                    this, [this, text = toQt(stage)] { emit buildProgressed(text); }, Qt::QueuedConnection);
            };
            outcome->result = (*client)->build(*request, "slider", progress, stop);
        } else {
            outcome->result.status = Status::unavailable;
            outcome->result.reason = client.error().message;
        }
        return [this, outcome, timer] {
            building_ = false;
            outcome->seconds_to_show = static_cast<double>(timer.nsecsElapsed()) * 1e-9;
            if (!waiting_build_) emit buildFinished(*outcome);
            buildNext();
        };
    });
}

/// Does not wait for the build before, which may take its time to stop.
void Engine::buildBeside(BuildRequest request) {
    if (!link_) return;
    waiting_beside_ = std::move(request);
    if (building_beside_) beside_thread_.request_stop();
    else buildNextBeside();
}

void Engine::buildNextBeside() {
    if (!waiting_beside_) return;
    building_beside_ = true;
    const auto request = std::make_shared<BuildRequest>(std::move(*waiting_beside_));
    waiting_beside_.reset();
    launch(beside_thread_, [this, request](WorkerLink& link, const Progress&, std::stop_token stop) -> Answer {
        auto result = std::make_shared<BuildResult>();
        const auto client = link.client();
        if (client) *result = (*client)->build(*request, "beside", [](std::string_view, int, int) {}, stop);
        else *result = {.status = Status::unavailable, .reason = client.error().message};
        return [this, result] {
            building_beside_ = false;
            if (!waiting_beside_) emit builtBeside(*result);
            buildNextBeside();
        };
    });
}

/// Asks the worker for its devices, one question at a time: a worker that is far away may take long to answer, and
/// nothing else may wait for it.
void Engine::refreshDevices() {
    ask_devices_again_ = asking_devices_;
    if (!link_ || asking_devices_) return;
    asking_devices_ = true;
    launch(devices_thread_, [this](WorkerLink& link, const Progress&, std::stop_token stop) -> Answer {
        const auto client = link.client();
        auto devices = std::make_shared<Result<std::vector<WorkerDevice>>>(client ? (*client)->devices(stop)
                                                                                  : std::unexpected(client.error()));
        return [this, devices] { takeDevices(*devices); };
    });
}

void Engine::takeDevices(const Result<std::vector<WorkerDevice>>& devices) {
    asking_devices_ = false;
    if (ask_devices_again_) return refreshDevices();
    if (!devices) {
        emit devicesFailed(inWords(devices.error().message));
        return;
    }
    devices_ = *devices;
    emit devicesChanged();
}

const WorkerDevice* Engine::device(const QString& name) const {
    const auto found = std::ranges::find(devices_, name.toStdString(), [](const auto& each) { return each.info.name; });
    return found == devices_.end() ? nullptr : &*found;
}

}  // namespace kernelgen::studio

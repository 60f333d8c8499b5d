// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/run_queue.h"

#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "core/project/by_case.h"

namespace kernelgen::studio {

namespace {

bool hasEnded(const QueuedRun& run) { return run.state != QueueState::waiting && run.state != QueueState::running; }

/// The plan of a queued run. Errors: values that its variant cannot have.
Result<RunPlan> planOf(const QueuedRun& run) {
    RunPlan plan = *run.base;
    plan.cases = run.cases;
    plan.options.note = run.note.toStdString();
    if (run.configuration.empty()) return plan;
    Result<Implementation> fixed = with_fixed(std::move(plan.candidate), run.configuration);
    if (!fixed) return std::unexpected(fixed.error());
    plan.candidate = std::move(*fixed);
    return plan;
}

}  // namespace

RunQueue::RunQueue(Engine& engine, QObject* parent) : QObject(parent), engine_(engine) {
    connect(&engine_, &Engine::runStarted, this, [this] { since_.start(); });
    connect(&engine_, &Engine::runFinished, this, &RunQueue::take);
    connect(&engine_, &Engine::runningChanged, this, &RunQueue::startLater);
    // Whoever stops what runs, of the queue or not, wants quiet.
    connect(&engine_, &Engine::stopWanted, this, [this] {
        if (waiting() > 0) setPaused(true);
    });
}

QueuedRun* RunQueue::find(int id) {
    const auto found = std::ranges::find(runs_, id, &QueuedRun::id);
    return found == runs_.end() ? nullptr : &*found;
}

int RunQueue::waiting() const {
    return static_cast<int>(std::ranges::count(runs_, QueueState::waiting, &QueuedRun::state));
}

void RunQueue::add(std::vector<QueuedRun> runs) {
    for (QueuedRun& each : runs) {
        each.id = next_id_++;
        runs_.push_back(std::move(each));
    }
    emit changed();
    startLater();
}

void RunQueue::move(const std::set<int>& ids, bool up) {
    std::vector<QueuedRun*> waiting;
    for (QueuedRun& each : runs_)
        if (each.state == QueueState::waiting) waiting.push_back(&each);
    if (!up) std::ranges::reverse(waiting);
    for (std::size_t i = 1; i < waiting.size(); ++i) {
        const bool moves = ids.contains(waiting[i]->id), passes = !ids.contains(waiting[i - 1]->id);
        if (moves && passes) std::swap(*waiting[i], *waiting[i - 1]);
    }
    emit changed();
}

void RunQueue::cancel(const std::set<int>& ids) {
    for (QueuedRun& each : runs_) {
        if (!ids.contains(each.id)) continue;
        if (each.state == QueueState::waiting) each.state = QueueState::cancelled;
        if (each.state == QueueState::running) engine_.stopRun();
    }
    emit changed();
}

void RunQueue::setPaused(bool paused) {
    paused_ = paused;
    why_paused_.clear();
    emit changed();
    startLater();
}

void RunQueue::clearEnded() {
    std::erase_if(runs_, hasEnded);
    emit changed();
}

void RunQueue::clear() {
    runs_.clear();
    running_.reset();
    paused_ = false;
    why_paused_.clear();
    emit changed();
}

/// After everybody has taken what ended.
void RunQueue::startLater() { QMetaObject::invokeMethod(this, &RunQueue::startNext, Qt::QueuedConnection); }

void RunQueue::startNext() {
    if (engine_.isRunning()) return;
    running_.reset();
    const auto next = std::ranges::find(runs_, QueueState::waiting, &QueuedRun::state);
    if (paused_ || next == runs_.end()) return emit changed();
    Result<RunPlan> plan = planOf(*next);
    if (!plan) {
        next->state = QueueState::failed;
        next->problem = inWords(plan.error().message);
        emit changed();
        return startLater();
    }
    running_ = next->id;
    next->state = QueueState::running;
    engine_.startRun(std::move(*plan));
    emit changed();
}

void RunQueue::take(const RunOutcome& outcome) {
    const double seconds = static_cast<double>(since_.elapsed()) * 1e-3;
    const Round& round = outcome.detail.round;
    if (outcome.recorded) learn(round, seconds);
    QueuedRun* run = running_ ? find(*running_) : nullptr;
    if (run == nullptr) return;
    if (outcome.no_device && !outcome.recorded) return putBack(*run, outcome.problem);
    run->seconds = seconds;
    run->problem = outcome.problem;
    if (outcome.recorded) run->round = round;
    const bool stopped = round.status == Status::cancelled;
    run->state = stopped ? QueueState::cancelled : !outcome.recorded ? QueueState::failed : QueueState::done;
    emit changed();
}

/// Where there is nothing to run on, the others would fail for the same reason, one after the other.
void RunQueue::putBack(QueuedRun& run, const QString& why) {
    run.state = QueueState::waiting;
    paused_ = true;
    why_paused_ = why;
    emit changed();
}

/// Only of runs that were timed: one that fails before takes a moment.
void RunQueue::learn(const Round& round, double seconds) {
    if (round.status != Status::ok) return;
    Pace& pace = paces_[round.device];
    pace.seconds += seconds;
    pace.cases += std::max(round.case_count, 1);
}

std::optional<double> RunQueue::expectedSeconds(const QueuedRun& run) const {
    const auto pace = paces_.find(run.base->options.device);
    if (pace == paces_.end()) return std::nullopt;
    return pace->second.seconds / pace->second.cases * static_cast<double>(run.cases.size());
}

std::optional<double> RunQueue::secondsLeft() const {
    double left = 0;
    bool any = false;
    for (const QueuedRun& each : runs_) {
        if (hasEnded(each)) continue;
        const std::optional<double> expected = expectedSeconds(each);
        if (!expected) return std::nullopt;
        any = true;
        const double spent = each.state == QueueState::running ? static_cast<double>(since_.elapsed()) * 1e-3 : 0;
        left += std::max(*expected - spent, 0.0);
    }
    return any ? std::optional(left) : std::nullopt;
}

}  // namespace kernelgen::studio

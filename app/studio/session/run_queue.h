// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/studio/engine/engine.h"

namespace kernelgen::studio {

enum class QueueState { waiting, running, done, failed, cancelled };

/// A run that is made when its turn comes, of the project and sources as they were when it was queued.
struct QueuedRun {
    int id = 0;
    std::shared_ptr<const RunPlan> base;  ///< variant, device and sources
    Configuration configuration;          ///< of all cases; empty: as the base has it
    std::vector<Case> cases;
    QString note;
    QueueState state = QueueState::waiting;
    std::optional<Round> round = {};  ///< what was recorded
    QString problem = {};             ///< why nothing was
    double seconds = 0;               ///< that it took
};

/// Runs one after the other, whenever the engine is free: one that fails leaves the others as they are. Lives in the
/// GUI thread.
class RunQueue : public QObject {
    Q_OBJECT

public:
    explicit RunQueue(Engine& engine, QObject* parent = nullptr);

    const std::vector<QueuedRun>& runs() const { return runs_; }  ///< in the order in which they are made
    int waiting() const;                                          ///< how many
    /// Whether the run that is under way, or has ended just now, is of the queue.
    bool isRunning() const { return running_.has_value(); }

    void add(std::vector<QueuedRun> runs);
    /// Moves waiting runs, by their ids, one place up or down among those that wait.
    void move(const std::set<int>& ids, bool up);
    void cancel(const std::set<int>& ids);  ///< stops it where it runs; the others go on
    bool isPaused() const { return paused_; }
    QString whyPaused() const { return why_paused_; }  ///< "" where somebody wanted it
    void setPaused(bool paused);                       ///< the run under way goes on
    void clearEnded();
    void clear();  ///< also what waits; the run under way is no longer of the queue

    /// How long a run takes, from what runs on its device took before; nothing before the first has ended.
    std::optional<double> expectedSeconds(const QueuedRun& run) const;
    /// Until the last has ended; nothing where none is left, or that is not known.
    std::optional<double> secondsLeft() const;

signals:
    void changed();

private:
    QueuedRun* find(int id);
    void startLater();
    void startNext();
    void take(const RunOutcome& outcome);
    void putBack(QueuedRun& run, const QString& why);
    void learn(const Round& round, double seconds);

    struct Pace {
        double seconds = 0;
        int cases = 0;
    };
    Engine& engine_;
    std::vector<QueuedRun> runs_;
    std::optional<int> running_;  ///< its id
    bool paused_ = false;
    QString why_paused_;
    int next_id_ = 1;
    QElapsedTimer since_;
    std::map<std::string, Pace> paces_;  ///< by device
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <map>

#include "app/studio/session/run_queue.h"

namespace kernelgen::studio {

class Session;

/// What is to be queued: every configuration of these values, on every one of these devices.
struct QueueWish {
    std::map<std::string, std::vector<std::int64_t>> values;  ///< by tunable
    std::vector<std::string> devices;
    std::vector<Case> cases;
    bool case_alone = false;  ///< a round for each case
    QString note;
};

/// The runs of a wish.
struct QueuePlan {
    std::vector<QueuedRun> runs;
    int forbidden = 0;  ///< runs left out since a restriction forbids the configuration on one of their cases
    QString problem;    ///< why there is none; ""
};

/// Plans runs of the session's variant, with its sources as they stand when this is made.
class QueuePlanner {
    Q_DECLARE_TR_FUNCTIONS(QueuePlanner)

public:
    static constexpr std::uint64_t most_runs = 1000;
    static constexpr std::uint64_t most_judged = 20000;  ///< of which restrictions forbid some

    explicit QueuePlanner(Session& session);

    const QString& problem() const { return problem_; }  ///< why nothing can be queued; "" where something can
    std::vector<std::string> devices() const;            ///< on which the variant runs, the present one first
    QueuePlan plan(const QueueWish& wish) const;

private:
    void addRuns(QueuePlan& made, const RunPlan& base, const std::vector<Configuration>& configurations,
                 const QueueWish& wish) const;

    std::map<std::string, std::shared_ptr<const RunPlan>> bases_;  ///< by device
    std::string present_;                                          ///< device
    QString problem_;
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/engine/outcomes.h"
#include "core/round/history.h"

namespace kernelgen::studio {

/// The optimization that runs, or the last one that the project's history has to its end: each of its rounds with what
/// was expected of it and what came of it. Lives in the GUI thread.
class OptimizationStory : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void clear();
    void begin(const OptimizePlan& plan);
    void take(const OptimizationNews& news);
    void finish(const OptimizationEnd& end);
    /// The last optimization of a history, where none was followed since the project was opened.
    void recall(const std::vector<Round>& history);

    bool isRunning() const { return running_; }
    int mostRounds() const { return most_rounds_; }               ///< of the one that runs, without its start
    const std::vector<Round>& rounds() const { return rounds_; }  ///< the first is its start
    const std::optional<Proposal>& next() const { return next_; }
    QString reason() const;  ///< why it ended, in the language of the interface; "" before its end
    std::optional<int> best() const { return best_; }
    QStringList warnings() const;  ///< what could not be applied

signals:
    void changed();

private:
    bool running_ = false, followed_ = false;
    int most_rounds_ = 0;
    std::vector<Round> rounds_;
    std::optional<Proposal> next_;
    std::string ended_;  ///< the id of a stop reason; "" where `problem_` ended it
    QString problem_;
    std::optional<int> best_;
    std::vector<Said> warnings_;
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>
#include <memory>

#include "app/studio/document/project_document.h"
#include "core/files/consistency.h"
#include "core/files/in_step.h"

namespace kernelgen::studio {

/// Whether the open project's definition and files agree, as they are edited: found in another thread, soon after a
/// change. Lives in the GUI thread.
class ConsistencyCheck : public QObject {
    Q_OBJECT

public:
    explicit ConsistencyCheck(ProjectDocument& document, QObject* parent = nullptr);

    void look();    ///< soon, where anything differs from what was looked at
    void forget();  ///< what was found, and looks anew, as when another Python is to be used
    /// What was found last; null before, or where `problem` says why there is nothing.
    const Consistency* found() const { return found_.get(); }
    const QString& problem() const { return problem_; }

    /// Writes stale files again and sets tunables in place, as one undoable step; `stepped` tells what was done. A
    /// change that is made meanwhile is not overwritten: nothing is then done, and said.
    void bringInStep();
    bool isBringingInStep() const { return stepping_.isRunning(); }

signals:
    void changed();
    void stepped(const QStringList& done, const QString& problem);

private:
    using Texts = std::map<std::string, std::string>;
    using Finding = std::shared_ptr<const Result<Consistency>>;
    using Stepping = std::shared_ptr<const Checked<BroughtInStep>>;
    void ask();
    void takeFound();
    void takeStep();

    ProjectDocument& document_;
    QTimer settle_;
    QFutureWatcher<Finding> finding_;
    QFutureWatcher<Stepping> stepping_;
    std::pair<Project, Texts> asked_, stepped_from_;
    std::shared_ptr<const Consistency> found_;
    QString problem_;
};

}  // namespace kernelgen::studio

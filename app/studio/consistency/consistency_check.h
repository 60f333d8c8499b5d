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

/// Checks whether the definition and the files of the open project, as edited, agree: in another thread, soon after a
/// change. Lives in the GUI thread.
class ConsistencyCheck : public QObject {
    Q_OBJECT

public:
    explicit ConsistencyCheck(ProjectDocument& document, QObject* parent = nullptr);

    void look();    ///< checks again soon, where anything has changed
    void forget();  ///< drops the result and checks again, for example with another Python
    /// The last result; null before the first one, or where `problem` has the reason.
    const Consistency* found() const { return found_.get(); }
    const QString& problem() const { return problem_; }

    /// Writes stale files again and sets tunables in place, as one undoable step; then emits `stepped` with what was
    /// done. Where the project changed meanwhile, nothing is written, and `stepped` says so.
    void bringInStep();
    bool isBringingInStep() const { return stepping_.isRunning(); }

signals:
    void changed();
    void stepped(const QStringList& done, const QString& problem);

private:
    using Texts = std::map<std::string, std::string>;
    using Finding = std::shared_ptr<const Result<Consistency>>;
    using Stepping = std::shared_ptr<const Validated<BroughtInStep>>;
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

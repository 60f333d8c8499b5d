// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>

#include "app/studio/document/project_document.h"
#include "app/studio/engine/engine.h"
#include "app/studio/session/run_log.h"
#include "app/studio/session/tunings.h"
#include "core/tuning/rule_proposal.h"

namespace kernelgen::studio {

/// The rules by case that the command of the shown tuning proposes, where all of its cases have ended. Another thread
/// reads the files. Lives in the GUI thread.
class Rules : public QObject {
    Q_OBJECT

public:
    Rules(ProjectDocument& document, Tunings& tunings, Engine& engine, RunLog& log);

    /// What is proposed; null where there is nothing, which `whyNone` explains where the tunings have ended.
    std::shared_ptr<const RuleProposal> proposal() const { return proposal_; }
    QString whyNone() const { return why_none_; }
    bool areInForce() const;  ///< whether the project, as edited, is already as they make it

    /// Saves the project and verifies the rules on all cases; they become the project's where that passes, as one
    /// undoable step. `timeout_seconds`: of one call. Errors: nothing began.
    Result<void> adopt(double timeout_seconds);
    void take(const RunOutcome& verification);  ///< that of the rules, or any other, of which nothing comes

signals:
    void changed();

private:
    struct Proposed {
        std::shared_ptr<const RuleProposal> proposal;
        QString why_none;
    };
    struct Verified {
        std::shared_ptr<const RuleProposal> proposal;
        Project project;
        std::map<std::string, std::string> texts;  ///< of its sources
    };
    void propose();
    bool isEdited(const Verified& since) const;
    void write(const Verified& verified);
    void tellEdited();

    ProjectDocument& document_;
    Tunings& tunings_;
    Engine& engine_;
    RunLog& log_;
    std::shared_ptr<const RuleProposal> proposal_;
    QString why_none_;
    std::optional<Verified> under_verification_;
    QObject* generation_ = nullptr;  ///< dies with what is shown: answers about something else are dropped
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/document/project_document.h"
#include "app/studio/session/round_store.h"
#include "core/diagnose/rule.h"
#include "core/strategy/propose.h"

namespace kernelgen::studio {

/// What was found of a round.
struct FoundCauses {
    std::shared_ptr<const RoundDetail> detail;
    std::vector<Diagnosis> cases;  ///< those that were timed, in the round's order
    std::optional<Round> best;     ///< of the rounds that may be compared with this one; nothing where that is this one
    std::vector<Evidence> of_best;  ///< of the cases in the best round
    RuleBook book;
    QString problem;  ///< why there is no diagnosis; "" where there is one
};

/// What can be done about it.
struct FoundStrategies {
    Proposals proposals;
    QString problem;  ///< why nothing can be applied; "" where something may
};

/// The diagnosis of the round that is shown, and then the strategies that apply to it. Other threads find both. Lives
/// in the GUI thread.
class Diagnoses : public QObject {
    Q_OBJECT

public:
    Diagnoses(const ProjectDocument& document, RoundStore& rounds, QObject* parent = nullptr);

    /// The round to diagnose; nothing for none.
    void show(std::optional<int> round);
    void again();  ///< rules, goals, patterns or tunings have changed

    std::optional<int> round() const { return round_; }
    /// Null: there is no round, or its diagnosis is yet to come.
    const std::shared_ptr<const FoundCauses>& causes() const { return causes_; }
    /// Null: they are yet to come.
    const std::shared_ptr<const FoundStrategies>& strategies() const { return strategies_; }

signals:
    void changed();  ///< another round, its causes, or its strategies

private:
    void begin();
    void takeCauses(std::shared_ptr<const FoundCauses> found);

    const ProjectDocument& document_;
    RoundStore& rounds_;
    std::optional<int> round_;
    std::shared_ptr<const FoundCauses> causes_;
    std::shared_ptr<const FoundStrategies> strategies_;
    QObject* generation_ = nullptr;  ///< dies with the round: answers about an older one are dropped
};

}  // namespace kernelgen::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "app/studio/engine/engine.h"

namespace kernelgen::studio {

class Session;

/// What can be done about a diagnosis: apply a strategy, or make rounds by itself. Lives in the GUI thread.
class StrategyActions : public QObject {
    Q_OBJECT

public:
    explicit StrategyActions(Session& session);

    /// Makes the next round of a round's variant with a strategy, as if that round were the present state. Files stay
    /// as they are, but for a generated variant that the project lacks.
    void apply(std::shared_ptr<const RoundDetail> before, const Proposal& proposal);
    QString whyNotApplied(const RoundDetail& before, const Proposal& proposal) const;  ///< "" where it can be applied
    /// Saves the project, and makes rounds of the chosen variant on the device by itself. Variant and device of the
    /// options are not read.
    void optimize(OptimizeOptions options);
    QString whyNotOptimized() const;  ///< "" where it can begin

private:
    QString whyNothingIsApplied(const RoundDetail& before) const;
    void take(const OptimizationEnd& end);

    Session& session_;
};

}  // namespace kernelgen::studio

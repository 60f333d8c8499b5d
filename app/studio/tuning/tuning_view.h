// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/studio/charts/chart_view.h"
#include "app/studio/tuning/tuning_words.h"
#include "core/tune/tuning.h"

namespace kernelgen::studio {

/// The base of the charts of a tuning: the mouse tells all of a result, and a click chooses its row in
/// `Tuning::tried`.
class TuningView : public ChartView {
    Q_OBJECT

public:
    using ChartView::ChartView;

    /// Draws what the tuning holds now; null: a message what to press.
    void present(std::shared_ptr<const Tuning> tuning);

protected:
    const Tuning& tuning() const { return *tuning_; }
    const Tried* incumbent() const;  ///< null where it was not tried, or failed
    /// Computes what is drawn of the tuning as it is now. Returns why nothing can be drawn yet; "" where it can.
    virtual QString prepare();
    QString tipOf(const Mark& mark) const override;
    /// The values of the objective among what succeeded, with some room.
    QCPRange objectiveRange() const;
    void placeObjective(QCPAxis* axis);
    AxisTitle objectiveAxis() const { return {objectiveTitle(tuning().head), objectiveBrief(tuning().head)}; }

private:
    std::shared_ptr<const Tuning> tuning_;
};

}  // namespace kernelgen::studio

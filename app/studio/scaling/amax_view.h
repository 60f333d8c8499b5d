// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/charts/chart_view.h"
#include "core/scaling/delayed_scaling.h"

namespace kernelgen::studio {

/// The amax of a tensor's steps, and what the delayed scale covered in each; steps that were clipped or jumped are
/// marked.
class AmaxView : public ChartView {
    Q_OBJECT

public:
    explicit AmaxView(QWidget* parent = nullptr);

    void present(const DelayedRun& run);

protected:
    void draw() override;

private:
    QCPGraph* addLine(const QString& name, const QPen& pen);
    void addPoints(const QString& name, const QColor& colour, bool DelayedStep::* noted);

    std::vector<DelayedStep> steps_;  ///< those that a logarithmic axis can show
};

}  // namespace kernelgen::studio
